import { expect, test } from 'vitest';
import { closingLine } from '../../scripts/closing-line.ts';
import { countsOf } from '../../scripts/vitest-run.ts';

const nothing = {
  success: true,
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

test('tests set aside and tests still to be written count as skipped', () => {
  const report = { ...nothing, numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 };
  expect(countsOf(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test('a file that fails to load counts as one failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(countsOf({ ...nothing, success: false, testResults }, 1)).toMatchObject({ failed: 1 });
});

test('the tests of a file whose worker crashed are not skipped ones', () => {
  const assertionResults = [{ status: 'passed' }, { status: 'pending' }];
  const report = {
    ...nothing,
    success: false,
    numPassedTests: 1,
    numPendingTests: 1,
    testResults: [{ status: 'failed', assertionResults }],
  };
  expect(countsOf(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a file with a failed test counts that test alone', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }];
  const report = { ...nothing, success: false, numFailedTests: 1, testResults };
  expect(countsOf(report, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('an exit code that says failed is a failure, whatever the report says', () => {
  expect(countsOf({ ...nothing, numPassedTests: 2 }, 1)).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(countsOf({ ...nothing, numPassedTests: 2 }, null)).toMatchObject({ failed: 1 });
});

test('the closing line names skipped tests only when there are some', () => {
  expect(closingLine({ passed: 4, failed: 0, skipped: 0 })).toBe('4 passed, 0 failed');
  expect(closingLine({ passed: 4, failed: 1, skipped: 2 })).toBe('4 passed, 1 failed, 2 skipped');
});
