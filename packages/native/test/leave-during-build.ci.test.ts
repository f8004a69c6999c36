import { describe } from 'vitest';
import { itLeaves, momentsToLeave, waysToLeave } from './leave-during-build.ts';

describe.each(['thread', 'process'] as const)('a build in a %s', (isolation) => {
  for (const how of waysToLeave) {
    for (const moment of momentsToLeave) itLeaves(isolation, how, moment);
  }
});
