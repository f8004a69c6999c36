import { sourceContract } from './source-contract.ts';

sourceContract('thread');
