import { sourceContract } from './source-contract.ts';

sourceContract('process');
