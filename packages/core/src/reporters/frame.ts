import type { BuildStory } from './build-story.ts';
import { outcomeText, percentText, silenceText, subjectText, tensorrtText } from './build-text.ts';
import type { BuildSubject } from '../source.ts';
import { reasonText } from './cancel-text.ts';
import { displayWidth, fit } from './display-text.ts';
import type { ScreenSize } from './live-area.ts';
import { phaseColumns, phaseLine } from './phase-line.ts';
import { phaseRows } from './phase-rows.ts';
import { elapsedText } from './quantities.ts';
import type { Theme } from './theme.ts';

const finalRows = 500;

/** All that a frame shows. */
export interface FrameFacts {
  readonly story: BuildStory;
  readonly subject: BuildSubject;
  readonly nowNs: number;
  readonly theme: Theme;
}

/** The lines of a build that runs: what it is, its phases, and how it stands; no more than `size.rows`, none wider than `size.columns`. */
export function liveFrame(facts: FrameFacts, size: ScreenSize): string[] {
  const all = statusLines(facts, size.columns);
  const status = all.slice(Math.max(0, all.length - size.rows));
  const room = size.rows - status.length;
  const count = facts.story.tree.phases().length;
  const title = room > count ? [titleLine(facts, size.columns)] : [];
  return [...title, ...phaseLines(facts, size.columns, room - title.length), ...status];
}

/** The lines that stay on the screen: every phase with its time, then the outcome, which may be longer than a row. */
export function finalFrame(facts: FrameFacts, columns: number): string[] {
  return [titleLine(facts, columns), ...phaseLines(facts, columns, finalRows), ...outcomeLines(facts)];
}

function titleLine({ subject, story, theme }: FrameFacts, columns: number): string {
  const tensorrt = story.tensorrt === undefined ? '' : `  ${tensorrtText(story.tensorrt)}`;
  const title = subjectText(subject, theme.arrow) || 'build';
  return displayWidth(title + tensorrt) <= columns
    ? theme.strong(title) + theme.faint(tensorrt)
    : theme.strong(fit(title, columns, theme.ellipsis));
}

function phaseLines({ story, nowNs, theme }: FrameFacts, columns: number, room: number): string[] {
  const all = phaseRows(story, room);
  const { rows, hidden } = all.hidden === 0 ? all : phaseRows(story, room - 1);
  const layout = phaseColumns(rows, columns);
  const lines = rows.map((row) => phaseLine(row, layout, nowNs, theme));
  if (hidden > 0 && room > 0) {
    lines.push(theme.faint(fit(`${theme.ellipsis} ${hidden} more hidden`, columns, theme.ellipsis)));
  }
  return lines;
}

function statusLines(facts: FrameFacts, columns: number): string[] {
  const { story, nowNs, theme } = facts;
  const { progress } = story.tree;
  const percent = progress === undefined ? [] : [percentText(progress)];
  const elapsed = [elapsedText(nowNs)];
  const silence = silenceText(story, nowNs);
  const variants =
    silence === undefined
      ? [[...percent, ...elapsed], percent]
      : [
          [...percent, ...elapsed, silence.text + silence.where],
          [...percent, ...elapsed, silence.text],
          [silence.text],
        ];
  const texts = variants.map((pieces) => pieces.join(` ${theme.dot} `));
  const status =
    texts.find((text) => displayWidth(text) <= columns) ?? fit(texts.at(-1) ?? '', columns, theme.ellipsis);
  return [silence === undefined ? status : theme.attention(status), ...cancelLines(facts, columns)];
}

function cancelLines({ story, nowNs, theme }: FrameFacts, columns: number): string[] {
  const { cancel } = story;
  if (cancel === undefined) {
    return [];
  }
  const doing = { none: 'cancelling', terminate: 'terminating', kill: 'killing' }[cancel.escalation];
  const since = elapsedText(nowNs - cancel.requestedAtNs);
  const text = `${doing}${theme.ellipsis} ${since} (${reasonText(cancel)})`;
  return [theme.attention(theme.strong(fit(text, columns, theme.ellipsis)))];
}

function outcomeLines({ story, subject, theme }: FrameFacts): string[] {
  if (story.finished === undefined) {
    return [];
  }
  const text = theme.strong(outcomeText(story.finished, story, subject));
  switch (story.finished.outcome) {
    case 'built':
      return [`${theme.good(theme.done)} ${text}`];
    case 'cancelled':
      return [`${theme.attention(theme.stopped)} ${text}`];
    case 'failed':
      return [`${theme.bad(theme.failed)} ${text}`];
  }
}
