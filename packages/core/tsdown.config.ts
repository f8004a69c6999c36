import { packageConfig } from '../../tsdown.package.ts';

export default packageConfig([
  'src/index.ts',
  'src/reporters/index.ts',
  'src/recording/index.ts',
  'src/triggers/index.ts',
]);
