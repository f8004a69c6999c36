import type { BuildStory } from './build-story.ts';
import {
  budgetText,
  isNotable,
  logText,
  percentText,
  silenceText,
  subjectText,
  tensorrtText,
} from './build-text.ts';
import type { BuildEvent } from '../events.ts';
import type { PhaseNode } from '../phase-tree.ts';
import type { BuildSubject } from '../source.ts';
import { inText, reasonText } from './cancel-text.ts';
import { printable } from './display-text.ts';
import { durationText, elapsedText } from './quantities.ts';

/** What an event has to say by itself, phases left aside; most say nothing. */
export function eventText(
  event: BuildEvent,
  story: BuildStory,
  subject: BuildSubject,
  verbose: boolean,
): string | undefined {
  switch (event.type) {
    case 'build.started':
      return subjectText(subject, '->') || undefined;
    case 'tensorrt.loaded':
      return tensorrtText(event);
    case 'log':
      return verbose || isNotable(event) ? logText(event) : undefined;
    case 'budget.warning':
      return budgetText(event);
    case 'cancel.requested': {
      const { phasePath = [], later = [] } = story.cancel ?? {};
      const doing = later.length === 0 ? 'cancelling' : 'asked again to cancel';
      return `${doing} (${reasonText(event.reason)})${later.length === 0 ? inText(phasePath) : ''}`;
    }
    case 'cancel.escalated':
      return event.to === 'kill' ? 'killing the build' : 'terminating the build';
    case 'phase.started':
    case 'step.completed':
    case 'phase.finished':
    case 'cancel.acknowledged':
    case 'quiet':
    case 'snapshot':
    case 'build.finished':
      return undefined;
  }
}

/** `Building engine started, 6 steps` */
export function startText({ name, steps }: PhaseNode): string {
  return `${printable(name)} started${steps === undefined ? '' : `, ${stepsText(steps)}`}`;
}

/** `Timing tactics under way, 123/400 steps` */
export function underWayText({ name, steps, done }: PhaseNode): string {
  return `${printable(name)} under way${steps === undefined ? '' : `, ${done}/${stepsText(steps)}`}`;
}

/** `Timing tactics finished in 2.1 s, 2/3 steps` */
export function finishText({ name, steps, done, startedNs, finishedNs = startedNs }: PhaseNode): string {
  const counts = steps === undefined ? '' : `, ${done}/${stepsText(steps)}`;
  return `${printable(name)} finished in ${durationText(finishedNs - startedNs)}${counts}`;
}

/** How the build stands: `47%, no signal for 42 s in Determining refit engines`. */
export function standText(story: BuildStory, nowNs: number): string {
  const { tree, cancel } = story;
  const phase = tree.innermostLive;
  const silence = silenceText(story, nowNs);
  const pieces = [
    cancel === undefined ? undefined : `cancelling for ${elapsedText(nowNs - cancel.requestedAtNs)}`,
    tree.progress === undefined ? undefined : percentText(tree.progress),
    silence === undefined ? phase && phaseText(phase) : silence.text + silence.where,
  ].filter((piece) => piece !== undefined);
  return pieces.length === 0 ? 'still running' : pieces.join(', ');
}

function phaseText({ name, steps, done }: PhaseNode): string {
  return `${printable(name)}${steps === undefined ? '' : ` ${done}/${steps}`}`;
}

function stepsText(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}
