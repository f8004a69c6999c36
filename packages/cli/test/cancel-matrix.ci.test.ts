import { allCells, impossible } from './cancel-matrix/cells.ts';
import { matrix } from './cancel-matrix/matrix.ts';

const reasons = impossible.map(
  ({ sources, moment, reason }) => `  ${sources.join(', ')} x ${moment}: ${reason}`,
);
console.log(['Cells that cannot occur:', ...reasons].join('\n'));

matrix(allCells);
