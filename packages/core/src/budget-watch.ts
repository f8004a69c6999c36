import type { Budget } from './build.ts';
import { Countdown } from './countdown.ts';
import { formatDuration } from './duration.ts';
import type { BudgetWarning, SourceEvent } from './events.ts';
import { globMatcher } from './glob.ts';

export interface BudgetNews {
  readonly onWarning: (warning: Pick<BudgetWarning, 'budget' | 'limitNs' | 'usedNs'>) => void;
  /** A budget is spent; `budget` is its name. */
  readonly onSpent: (budget: string, message: string) => void;
}

/** One budget. What it counts down for are phases by number, or 0: the build, the silence. */
interface Watched {
  readonly budget: string;
  readonly countdown: Countdown<number>;
  readonly message: (phase: number) => string;
}

interface PhaseBudget extends Watched {
  readonly matches: (name: string) => boolean;
}

interface LivePhase {
  readonly parent: number | undefined;
  /** Live ones. */
  children: number;
}

const whole = 0;

/**
 * Watches budgets. Time is told to it, by {@link advance} and by events, and it looks closer only when something may be due:
 * the cost of an event does not grow with what is live.
 */
export class BudgetWatch {
  readonly #news: BudgetNews;
  readonly #all: Watched[] = [];
  readonly #phases: PhaseBudget[] = [];
  readonly #steps: Watched | undefined;
  readonly #quiet: Watched | undefined;
  readonly #cancels: boolean;
  readonly #names = new Map<number, string>();
  /** TensorRT's live phases. */
  readonly #live = new Map<number, LivePhase>();
  #nowNs = 0;
  #dueNs = Infinity;

  constructor(budget: Budget, news: BudgetNews) {
    this.#news = news;
    const { warnAt = 0.8, onSpent = 'cancel' } = budget;
    this.#cancels = onSpent === 'cancel';
    const add = <W extends Omit<Watched, 'countdown'>>(ms: number, watched: W) => {
      const added = { ...watched, countdown: new Countdown<number>(Math.round(ms * 1e6), warnAt) };
      this.#all.push(added);
      return added;
    };
    const { totalMs, phaseMs = {}, stepMs, quietMs } = budget;
    if (totalMs !== undefined) {
      const message = (): string => `the budget of ${formatDuration(totalMs)} is spent`;
      this.#begin(add(totalMs, { budget: 'total', message }), whole, 0);
    }
    for (const [glob, ms] of Object.entries(phaseMs)) {
      const message = (phase: number): string =>
        `the phase "${this.#names.get(phase)}" has used up its budget of ${formatDuration(ms)}`;
      this.#phases.push(add(ms, { budget: `phase "${glob}"`, message, matches: globMatcher(glob) }));
    }
    if (stepMs !== undefined) {
      const message = (phase: number): string =>
        `the phase "${this.#names.get(phase)}" has made no step for ${formatDuration(stepMs)}`;
      this.#steps = add(stepMs, { budget: 'step', message });
    }
    if (quietMs !== undefined) {
      const message = (): string => `TensorRT has made no callback for ${formatDuration(quietMs)}`;
      this.#quiet = add(quietMs, { budget: 'quiet', message });
    }
  }

  /** No earlier than this is there anything to tell; infinite when nothing is watched. */
  get dueNs(): number {
    return this.#dueNs;
  }

  /** It is `timeNs`: tells what is due by then, in the order in which it was. */
  advance(timeNs: number): void {
    this.#nowNs = Math.max(this.#nowNs, timeNs);
    while (this.#dueNs <= this.#nowNs) {
      const next = this.#all.toSorted((a, b) => a.countdown.dueNs - b.countdown.dueNs)[0];
      this.#dueNs = next?.countdown.dueNs ?? Infinity;
      if (next !== undefined && this.#dueNs <= this.#nowNs) this.#tell(next);
    }
  }

  /** Takes one event of the build, after what is due before it. */
  apply(event: SourceEvent): void {
    this.advance(event.timeNs);
    switch (event.type) {
      case 'phase.started':
        this.#start(event, event.timeNs);
        break;
      case 'step.completed':
        this.#hear();
        if (this.#live.get(event.phase)?.children === 0) this.#begin(this.#steps, event.phase);
        break;
      case 'phase.finished':
        this.#finish(event.phase);
        break;
      case 'snapshot':
        for (const node of event.tree.phases) if (node.state === 'live') this.#start(node, node.startedNs);
        break;
      case 'build.started':
      case 'tensorrt.loaded':
      case 'log':
      case 'budget.warning':
      case 'cancel.requested':
      case 'cancel.escalated':
      case 'cancel.acknowledged':
      case 'quiet':
      case 'build.finished':
        break;
    }
  }

  #start(
    { phase, parent, name, origin }: Pick<Started, 'phase' | 'parent' | 'name' | 'origin'>,
    sinceNs: number,
  ): void {
    if (phase === 0 || this.#names.has(phase)) return;
    this.#names.set(phase, name);
    for (const budget of this.#phases) if (budget.matches(name)) this.#begin(budget, phase, sinceNs);
    if (origin !== 'tensorrt') return;
    this.#live.set(phase, { parent, children: 0 });
    const outer = parent === undefined ? undefined : this.#live.get(parent);
    if (parent !== undefined && outer !== undefined) {
      outer.children += 1;
      this.#steps?.countdown.end(parent);
    }
    this.#begin(this.#steps, phase);
    this.#hear();
  }

  #finish(phase: number): void {
    for (const { countdown } of this.#phases) countdown.end(phase);
    const isOurs = this.#names.delete(phase) && !this.#live.has(phase);
    if (isOurs) return;
    const parent = this.#live.get(phase)?.parent;
    this.#live.delete(phase);
    this.#steps?.countdown.end(phase);
    const outer = parent === undefined ? undefined : this.#live.get(parent);
    if (parent !== undefined && outer !== undefined) {
      outer.children -= 1;
      if (outer.children === 0) this.#begin(this.#steps, parent);
    }
    this.#hear();
  }

  /** TensorRT made a callback. */
  #hear(): void {
    if (this.#live.size > 0) this.#begin(this.#quiet, whole);
    else this.#quiet?.countdown.end(whole);
  }

  #begin(watched: Watched | undefined, key: number, sinceNs = this.#nowNs): void {
    if (watched !== undefined) this.#dueNs = Math.min(this.#dueNs, watched.countdown.begin(key, sinceNs));
  }

  #tell({ budget, countdown, message }: Watched): void {
    const next = countdown.take();
    if (next === undefined) return;
    if (next.over && this.#cancels) this.#news.onSpent(budget, message(next.key));
    else {
      const usedNs = this.#nowNs - next.sinceNs;
      this.#news.onWarning({ budget, limitNs: countdown.limitNs, usedNs });
    }
  }
}

type Started = Extract<SourceEvent, { type: 'phase.started' }>;
