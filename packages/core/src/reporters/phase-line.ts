import { displayWidth, fit, padded, printable } from './display-text.ts';
import type { PhaseRow } from './phase-rows.ts';
import { durationText, elapsedText } from './quantities.ts';
import type { Theme } from './theme.ts';

const widest = 100;
const timeWidth = 6;
const gap = '  ';

/** Where the columns of a frame's phase lines are; one for all rows of a frame, so that they align. */
export interface PhaseColumns {
  readonly name: number;
  readonly indent: number;
  /** 0 leaves the bar out. */
  readonly bar: number;
  /** 0 leaves the counts out. */
  readonly counts: number;
  /** 0 leaves the time out. */
  readonly time: number;
}

/** Shares `width` out: what has no room beside a readable name is left out, first the bar, then the time, then the counts. */
export function phaseColumns(rows: readonly PhaseRow[], width: number): PhaseColumns {
  const total = Math.min(width, widest);
  const indent = total < 40 ? 1 : 2;
  const wanted = Math.max(0, ...rows.map((row) => 2 + indent * row.node.depth + displayWidth(nameOf(row))));
  // Indent, mark and blank take 3.
  const least = Math.max(3, Math.min(24, Math.floor(total * 0.4)));
  let bar = 20;
  let counts = Math.max(0, ...rows.map((row) => countsText(row).length));
  let time = timeWidth;
  const room = () => total - taken(bar) - taken(counts) - taken(time);
  const tooNarrow = () => room() < Math.min(wanted, least);
  bar = room() < wanted ? 10 : bar;
  bar = tooNarrow() ? 0 : bar;
  time = tooNarrow() ? 0 : time;
  counts = tooNarrow() ? 0 : counts;
  return { bar, counts, time, indent, name: Math.min(room(), Math.max(wanted, least)) };
}

/** One phase of the tree, no wider than its columns. */
export function phaseLine(row: PhaseRow, columns: PhaseColumns, nowNs: number, theme: Theme): string {
  const indent = ' '.repeat(Math.min(columns.indent * row.node.depth, Math.floor(columns.name / 2)));
  const nameWidth = columns.name - indent.length - 2;
  const name = padded(fit(nameOf(row), nameWidth, theme.ellipsis), nameWidth);
  const cells = [`${indent}${markText(row, theme)} ${row.mark === 'live' ? theme.strong(name) : name}`];
  if (columns.bar > 0) {
    cells.push(barText(row, columns.bar, theme));
  }
  if (columns.counts > 0) {
    cells.push(countsText(row).padStart(columns.counts));
  }
  if (columns.time > 0) {
    cells.push(theme.faint(timeText(row, nowNs).padStart(columns.time)));
  }
  return cells.join(gap).trimEnd();
}

function nameOf({ node }: PhaseRow): string {
  return printable(node.name);
}

function taken(width: number): number {
  return width === 0 ? 0 : width + gap.length;
}

function countsText({ node }: PhaseRow): string {
  if (node.steps !== undefined) {
    return `${node.done}/${node.steps}`;
  }
  return node.done > 0 ? `${node.done}` : '';
}

function timeText({ node, mark }: PhaseRow, nowNs: number): string {
  return mark === 'live'
    ? elapsedText(nowNs - node.startedNs)
    : durationText((node.finishedNs ?? nowNs) - node.startedNs);
}

function barText({ node, mark }: PhaseRow, width: number, theme: Theme): string {
  if (mark !== 'live' || node.steps === undefined) {
    return ' '.repeat(width);
  }
  const full = Math.min(width, Math.floor((node.done / node.steps) * width));
  return theme.good(theme.full.repeat(full)) + theme.faint(theme.empty.repeat(width - full));
}

function markText({ mark }: PhaseRow, theme: Theme): string {
  switch (mark) {
    case 'live':
      return theme.strong(theme.live);
    case 'done':
      return theme.good(theme.done);
    case 'failed':
      return theme.bad(theme.failed);
    case 'stopped':
      return theme.attention(theme.stopped);
  }
}
