/** What has begun, with a time that it may take: all of it the same, so that what began first is over first. */
export class Countdown<Key> {
  readonly limitNs: number;
  readonly #warnNs: number;
  /** When each began, the earliest first. */
  readonly #running = new Map<Key, number>();
  readonly #unwarned = new Map<Key, number>();

  /** `warnAt`: at which part of `limitNs` to warn. */
  constructor(limitNs: number, warnAt: number) {
    this.limitNs = limitNs;
    this.#warnNs = Math.round(limitNs * warnAt);
  }

  /** Begins, or begins anew; `sinceNs` never falls. Answers when there is something to tell of it. */
  begin(key: Key, sinceNs: number): number {
    this.end(key);
    this.#running.set(key, sinceNs);
    this.#unwarned.set(key, sinceNs);
    return sinceNs + this.#warnNs;
  }

  end(key: Key): void {
    this.#running.delete(key);
    this.#unwarned.delete(key);
  }

  /** When there is something to tell next; infinite when nothing runs. */
  get dueNs(): number {
    const [unwarned = Infinity] = this.#unwarned.values();
    const [running = Infinity] = this.#running.values();
    return Math.min(unwarned + this.#warnNs, running + this.limitNs);
  }

  /** Takes what is due next: the warning of one, else its end. */
  take(): { readonly key: Key; readonly sinceNs: number; readonly over: boolean } | undefined {
    const [unwarned] = this.#unwarned;
    const [running] = this.#running;
    const warns = unwarned !== undefined && unwarned[1] + this.#warnNs <= (running?.[1] ?? 0) + this.limitNs;
    const next = warns ? unwarned : running;
    if (next === undefined) return undefined;
    const [key, sinceNs] = next;
    this.#unwarned.delete(key);
    if (!warns) this.#running.delete(key);
    return { key, sinceNs, over: !warns };
  }
}
