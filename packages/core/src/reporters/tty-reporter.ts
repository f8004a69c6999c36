import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { BuildEvent, LogLine, LogSeverity } from '../events.ts';
import { BuildStory } from './build-story.ts';
import { budgetText, isNotable, logText } from './build-text.ts';
import { finalFrame, liveFrame } from './frame.ts';
import type { FrameFacts } from './frame.ts';
import { LineLimit } from './line-limit.ts';
import { LiveScreen } from './live-screen.ts';
import type { ReportedBuild, Reporter, ReporterOptions } from './reporter.ts';
import type { ReporterStream } from './terminal.ts';
import { themeFor } from './theme.ts';
import type { Theme } from './theme.ts';

const frameNs = 100e6;
const idleNs = 250e6;

export interface TtyOptions extends ReporterOptions {
  /**
   * Streams of the same terminal: what others write to them meanwhile goes above the live tree.
   * Default: `stream`; without one, `process.stdout` and `process.stderr` where they are terminals.
   */
  readonly guard?: readonly ReporterStream[];
}

/**
 * Shows a build as a live tree at the bottom of a terminal, and leaves the final tree there. At most ten frames a second,
 * and only changed ones. `stream` must be a terminal that can move its cursor, which {@link createReporter} checks.
 */
export function ttyReporter(build: ReportedBuild, options: TtyOptions = {}): Reporter {
  return new TtyReporter(build, options);
}

class TtyReporter implements Reporter {
  readonly name = 'tty';
  readonly #build: ReportedBuild;
  readonly #story = new BuildStory();
  readonly #screen: LiveScreen;
  readonly #theme: Theme;
  readonly #clock: Clock;
  readonly #verbose: boolean;
  readonly #limit = new LineLimit();
  #drawnAtNs = -Infinity;
  #dueNs = Infinity;
  #takeBack: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(build: ReportedBuild, options: TtyOptions) {
    const { stream = process.stderr, env = process.env, clock = systemClock } = options;
    const terminals = [process.stdout, process.stderr].filter((output) => output.isTTY);
    this.#build = build;
    this.#clock = clock;
    this.#theme = themeFor(stream, env);
    this.#verbose = options.verbose === true;
    this.#screen = new LiveScreen(stream, options.guard ?? (options.stream ? [stream] : terminals), env, () =>
      this.#wake(),
    );
  }

  receive(events: readonly BuildEvent[]): void {
    for (const event of events) {
      this.#story.tell(event);
      if (event.type === 'log') {
        this.#log(event);
      } else if (event.type === 'budget.warning') {
        this.#screen.print(`${this.#theme.attention(budgetText(event))}\n`);
      }
    }
    if (this.#story.finished === undefined) {
      this.#wake();
    } else {
      void this.close(); // Never rejects.
    }
  }

  print(text: string): void {
    this.#screen.print(text.endsWith('\n') ? text : `${text}\n`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#takeBack();
    const left = this.#limit.takeLeftOut();
    const note = left === 0 ? [] : [`${left} more log lines were left out`];
    const lines = [...note, ...finalFrame(this.#facts(), this.#screen.size.columns)];
    await this.#screen.close(`${lines.join('\n')}\n`);
  }

  #log(line: LogLine): void {
    if (this.#verbose || (isNotable(line) && this.#limit.admit(this.#clock.nowNs()))) {
      this.#screen.print(`${paintOf(line.severity, this.#theme)(logText(line))}\n`);
    }
  }

  #facts(): FrameFacts {
    const nowNs = this.#story.finished?.timeNs ?? Math.max(this.#story.latestNs, this.#build.elapsedNs());
    return { subject: this.#build.subject, story: this.#story, theme: this.#theme, nowNs };
  }

  /** Something has changed: draws now, or as soon as the last frame has been seen for long enough. */
  #wake(): void {
    if (this.#closing === undefined) {
      this.#drawAt(this.#drawnAtNs + frameNs);
    }
  }

  #drawAt(atNs: number): void {
    const nowNs = this.#clock.nowNs();
    if (atNs <= nowNs) {
      this.#draw();
    } else if (atNs < this.#dueNs) {
      this.#takeBack();
      this.#dueNs = atNs;
      this.#takeBack = this.#clock.after((atNs - nowNs) / 1e6, () => this.#draw());
    }
  }

  #draw(): void {
    this.#takeBack();
    this.#screen.draw(liveFrame(this.#facts(), this.#screen.size));
    this.#drawnAtNs = this.#clock.nowNs();
    this.#dueNs = Infinity;
    this.#drawAt(this.#drawnAtNs + idleNs);
  }
}

function paintOf(severity: LogSeverity, theme: Theme): (text: string) => string {
  switch (severity) {
    case 'internal_error':
    case 'error':
      return theme.bad;
    case 'warning':
      return theme.attention;
    case 'info':
    case 'verbose':
      return theme.faint;
  }
}
