import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { BuildEvent } from '../events.ts';
import type { PhaseNode } from '../phase-tree.ts';
import { BuildStory } from './build-story.ts';
import { outcomeText } from './build-text.ts';
import { LineLimit } from './line-limit.ts';
import { Outlet } from './outlet.ts';
import { eventText, finishText, standText, startText, underWayText } from './plain-text.ts';
import { durationText } from './quantities.ts';
import type { ReportedBuild, Reporter, ReporterOptions } from './reporter.ts';

const longNs = 1e9;
// Not 30 seconds: a log that is watched for 30 seconds of silence must see a line before.
const atLeastEveryNs = 25e9;
// A replay's time may run faster than the clock, so the clock is asked often.
const lookEveryMs = 1000;

/**
 * Tells of a build in lines, for logs: TensorRT's roots, phases that last a second, warnings and errors, a cancel, the
 * outcome. At most ten lines a second (with `verbose`, TensorRT's log is not bounded), at least one every 30 seconds.
 */
export function plainReporter(build: ReportedBuild, options: ReporterOptions = {}): Reporter {
  return new PlainReporter(build, options);
}

// What is written depends on the events' own times alone, so that a recording reads the same however fast it is played. The
// clock only tells that time has passed without an event.
class PlainReporter implements Reporter {
  readonly name = 'plain';
  readonly #build: ReportedBuild;
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #verbose: boolean;
  readonly #prefix: string;
  readonly #story = new BuildStory();
  readonly #limit = new LineLimit();
  readonly #announced = new Set<number>();
  #lastLineNs = 0;
  #takeBack: () => void = () => undefined;

  constructor(build: ReportedBuild, options: ReporterOptions) {
    this.#build = build;
    this.#outlet = new Outlet(options.stream ?? process.stderr);
    this.#clock = options.clock ?? systemClock;
    this.#verbose = options.verbose === true;
    this.#prefix = options.label === undefined ? 'trtscope: ' : `trtscope ${options.label}: `;
  }

  receive(events: readonly BuildEvent[]): void {
    for (const event of events) {
      this.#catchUp(event.timeNs);
      this.#story.tell(event);
      this.#report(event);
    }
    this.#wait();
  }

  print(text: string): void {
    this.#outlet.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  async close(): Promise<void> {
    this.#takeBack();
    await this.#outlet.close();
  }

  #report(event: BuildEvent): void {
    if (event.type === 'build.finished') {
      this.print(
        `${this.#leftOutText()}${this.#prefix}${outcomeText(event, this.#story, this.#build.subject)}`,
      );
      return;
    }
    if (event.type === 'phase.started' || event.type === 'phase.finished') {
      this.#reportPhase(event.timeNs, this.#story.tree.get(event.phase));
      return;
    }
    const text = eventText(event, this.#story, this.#build.subject, this.#verbose);
    if (text !== undefined) {
      const free = event.type !== 'log' || this.#verbose;
      this.#line(event.timeNs, text, free);
    }
  }

  #reportPhase(timeNs: number, node: PhaseNode | undefined): void {
    if (node === undefined) {
      return;
    }
    if (node.state === 'live') {
      if (node.depth === 0 && node.origin === 'tensorrt') {
        this.#announce(timeNs, node.phase, startText(node));
      }
    } else if (this.#announced.delete(node.phase)) {
      this.#line(timeNs, finishText(node));
    }
  }

  #announce(timeNs: number, phase: number, text: string): void {
    this.#announced.add(phase);
    this.#line(timeNs, text);
  }

  /** Says what time alone has brought about until `untilNs`: phases that have become long, and that the build still runs. */
  #catchUp(untilNs: number): void {
    for (let due = this.#nextDue(); due.atNs <= untilNs; due = this.#nextDue()) {
      if (due.node === undefined) {
        this.#line(due.atNs, standText(this.#story, due.atNs), true);
      } else {
        this.#announce(due.atNs, due.node.phase, underWayText(due.node));
      }
    }
  }

  #nextDue(): { readonly atNs: number; readonly node?: PhaseNode } {
    if (this.#story.finished !== undefined) {
      return { atNs: Infinity };
    }
    const node = this.#story.tree.live().find(({ phase }) => !this.#announced.has(phase));
    const lineNs = this.#lastLineNs + atLeastEveryNs;
    return node === undefined || node.startedNs + longNs > lineNs
      ? { atNs: lineNs }
      : { atNs: node.startedNs + longNs, node };
  }

  #wait(): void {
    this.#takeBack();
    const { atNs } = this.#nextDue();
    if (atNs < Infinity) {
      const waitMs = Math.max(1, (atNs - this.#build.elapsedNs()) / 1e6);
      this.#takeBack = this.#clock.after(Math.min(waitMs, lookEveryMs), () => {
        this.#catchUp(this.#build.elapsedNs());
        this.#wait();
      });
    }
  }

  #line(timeNs: number, text: string, free = false): void {
    if (!free && !this.#limit.admit(timeNs)) {
      return;
    }
    this.#lastLineNs = timeNs;
    this.print(`${this.#leftOutText()}${this.#prefix}[${durationText(timeNs)}] ${text}`);
  }

  #leftOutText(): string {
    const lines = this.#limit.takeLeftOut();
    return lines === 0 ? '' : `${this.#prefix}${lines} ${lines === 1 ? 'line' : 'lines'} left out\n`;
  }
}
