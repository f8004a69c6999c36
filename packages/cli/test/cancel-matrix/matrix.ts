import { afterAll, describe, test } from 'vitest';
import { temporaryFolder } from '../command.ts';
import { titleOf } from './cells.ts';
import type { Cell } from './cells.ts';
import { expectDocumented } from './expect-cell.ts';
import { perform } from './perform.ts';

/** Has the simulator perform cells, several at once. */
export function matrix(cells: readonly Cell[]): void {
  describe.concurrent('a simulated build that is asked to stop is as docs/cancel.md says', () => {
    const root = temporaryFolder();
    afterAll(() => {
      root.remove();
    });

    test.each(cells.map((cell) => [titleOf(cell), cell] as const))('%s', async (_, cell) => {
      expectDocumented(await perform(cell, root.path));
    });
  });
}
