import { packageConfig } from '../../tsdown.package.ts';

export default packageConfig(['src/index.ts']);
