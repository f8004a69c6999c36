import { describe } from 'vitest';
import { itLeaves } from './leave-during-build.ts';

describe('a build in a thread', () => {
  itLeaves('thread', 'exit', 'long step');
  itLeaves('thread', 'throw', 'load');
  itLeaves('thread', 'terminate', 'step');
});

describe('a build in a process', () => {
  itLeaves('process', 'exit', 'long step');
  itLeaves('process', 'terminate', 'step');
  itLeaves('process', 'SIGTERM', 'write');
});
