import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatedBuild } from './gated-build.ts';
import type { GatedBuild } from './gated-build.ts';
import { temporaryFolder } from './temporary-folder.ts';

const moves = ['start in a process', 'start in a thread', 'finish', 'cancel', 'kill'] as const;
type Move = (typeof moves)[number];

// Builds to one target, one folder of gates and models each, and which of them has the target.
class Target {
  /** What went otherwise than it must. */
  readonly faults: string[] = [];
  readonly #folder = temporaryFolder();
  readonly #engine = join(this.#folder, 'model.engine');
  #holder: (GatedBuild & { readonly bytes: number; readonly killable: boolean }) | undefined;
  #builds = 0;
  #bytes: number | undefined;

  async make(move: Move): Promise<void> {
    switch (move) {
      case 'start in a process':
        return this.#start(true);
      case 'start in a thread':
        return this.#start(false);
      case 'finish':
        return this.end();
      case 'cancel':
        this.#holder?.build.cancel();
        this.#holder?.open();
        return this.#settle(['cancelled', 'built']);
      case 'kill':
        if (this.#holder?.killable !== true) return;
        process.kill((await this.#holder.pid) ?? 0, 'SIGKILL');
        return this.#settle(['failed']);
    }
  }

  async #start(killable: boolean): Promise<void> {
    this.#builds += 1;
    const bytes = 1000 + this.#builds;
    const folder = join(this.#folder, `${bytes}`);
    mkdirSync(folder);
    const build = gatedBuild(folder, killable ? 'process' : 'thread', bytes, this.#engine);
    const atWork = (await build.pid) !== undefined;
    this.#claim(atWork === (this.#holder === undefined), 'exactly one has the target');
    if (atWork) {
      this.#holder = { ...build, bytes, killable };
    } else {
      const result = await build.result;
      this.#claim(result.outcome === 'failed' && result.error.code === 'TARGET_BUSY', 'the other is refused');
    }
    this.#look();
  }

  async #settle(outcomes: readonly BuildResult['outcome'][]): Promise<void> {
    if (this.#holder === undefined) return;
    const { outcome } = await this.#holder.result;
    this.#claim(outcomes.includes(outcome), `${outcome} is one of ${outcomes.join()}`);
    if (outcome === 'built') this.#bytes = this.#holder.bytes;
    this.#holder = undefined;
    this.#look();
  }

  #look(): void {
    const size = statSync(this.#engine, { throwIfNoEntry: false })?.size;
    this.#claim(size === this.#bytes, 'the target is the engine of the last build that was built');
    const temporaries = readdirSync(this.#folder).filter((name) => name.startsWith('.'));
    this.#claim(
      temporaries.length === (this.#holder ? 1 : 0),
      'only who has the target has a file beside it',
    );
  }

  #claim(fact: boolean, words: string): void {
    if (!fact) this.faults.push(words);
  }

  async end(): Promise<void> {
    this.#holder?.open();
    await this.#settle(['built']);
  }
}

test('in whatever order builds to one target start, finish, are cancelled and killed, one has it and it is whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...moves), { minLength: 2, maxLength: 8 }), async (order) => {
      const target = new Target();
      for (const move of order) await target.make(move);
      await target.end();
      expect(target.faults).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
