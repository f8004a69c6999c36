import { describe } from 'vitest';
import { itLeaves } from './leave-during-build.ts';

describe('a build in a thread', () => {
  itLeaves('exit', 'long step');
  itLeaves('throw', 'load');
  itLeaves('terminate', 'step');
});
