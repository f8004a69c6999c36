import { describe } from 'vitest';
import { itLeaves, momentsToLeave, waysToLeave } from './leave-during-build.ts';

describe('a build in a thread', () => {
  for (const how of waysToLeave) {
    for (const moment of momentsToLeave) itLeaves(how, moment);
  }
});
