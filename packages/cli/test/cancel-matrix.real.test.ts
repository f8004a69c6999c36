import { isolations, moments, sources } from './cancel-matrix/cells.ts';
import type { Cell } from './cancel-matrix/cells.ts';
import { matrix } from './cancel-matrix/matrix.ts';

// A diagonal: each row and each column.
matrix(
  sources.map((source, at): Cell => {
    const moment = moments[at % moments.length] ?? 'parsing';
    return { source, moment, isolation: isolations[at % 2] ?? 'process' };
  }),
);
