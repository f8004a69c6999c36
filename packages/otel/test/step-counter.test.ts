import { createNoopMeter } from '@opentelemetry/api';
import type { Attributes, MeterProvider } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { ended, finished, scriptedBuild, started, steps } from './scripted-build.ts';
import { traced } from './traced.ts';

interface Addition {
  readonly value: number;
  readonly attributes: Attributes | undefined;
}

function countingMeterProvider(additions: Addition[]): MeterProvider {
  const createCounter = (name: string) => ({
    add: (value: number, attributes?: Attributes) => {
      if (name === 'tensorrt.build.phase.steps') additions.push({ value, attributes });
    },
  });
  const meter = Object.assign(Object.create(createNoopMeter()), { createCounter });
  return { getMeter: () => meter };
}

test('steps are counted exactly, from 0 at the phase’s start, in one addition per phase name and batch', async () => {
  const additions: Addition[] = [];
  const build = scriptedBuild([
    started(1, { name: 'start', from: 0, origin: 'trtscope' }),
    ...steps(1, 2, 1),
    finished(1, 5, 2),
    started(2, { name: 'Timing 1', from: 10 }),
    ...steps(2, 1_000, 20),
    { type: 'step.completed', timeNs: 11_000, phase: 2, step: 1_499, thread: 7, done: 1_500, merged: 499 },
    finished(2, 12_000, 1_501),
    started(3, { name: 'Timing 2', from: 13_000 }),
    ...steps(3, 5, 13_001),
    finished(3, 14_000, 5),
    ended(15_000),
  ]);
  await traced(build, { meterProvider: countingMeterProvider(additions) });
  const attributes = { 'tensorrt.phase.name': 'Timing' };
  expect(additions).toEqual([
    { value: 0, attributes },
    { value: 1_506, attributes },
  ]);
});

test('one who comes late counts the steps made before as well', async () => {
  const additions: Addition[] = [];
  const build = scriptedBuild([
    started(1, { name: 'Timing', from: 10 }),
    ...steps(1, 40, 20),
    finished(1, 900, 40),
    ended(901),
  ]);
  await build.result;
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  await traced(build, { meterProvider: countingMeterProvider(additions), stepEvents: 'none' });
  expect(additions.map(({ value }) => value)).toEqual([0, 40]);
});
