import { SpanStatusCode } from '@opentelemetry/api';
import type { CancelReason } from '@trtscope/core';
import { expect, test } from 'vitest';
import { ended, scriptedBuild, started, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { sinceStartNs, traced } from './traced.ts';

const overBudget: CancelReason = {
  source: 'budget',
  message: 'over its budget of 1 ms',
  requestedAtNs: 1_000_000,
  detail: 'total',
};
const ctrlC: CancelReason = { source: 'os-signal', message: 'Ctrl-C', requestedAtNs: 1_500_000 };

function requested(reason: CancelReason): ScriptedEvent {
  return { type: 'cancel.requested', timeNs: reason.requestedAtNs, reason };
}

const timing = [
  started(1, { name: 'Building engine', from: 10 }),
  started(2, { name: 'Timing tactics', from: 20, parent: 1, announced: 8 }),
  ...steps(2, 4, 30),
];

const terminated = [
  ...timing,
  requested(overBudget),
  requested(ctrlC),
  { type: 'cancel.escalated', timeNs: 2_000_000, to: 'terminate' },
  { type: 'cancel.acknowledged', timeNs: 3_000_000, by: 'exit' },
  {
    type: 'build.finished',
    timeNs: 3_500_000,
    outcome: 'cancelled',
    cleanup: { temporariesRemoved: ['/out/.net.engine.7.trtscope-tmp'], timingCacheSaved: false },
  },
] as const satisfies readonly ScriptedEvent[];

test('a cancelled build is no error, and its span has the whole report', async () => {
  const { root, span } = await traced(scriptedBuild(terminated));
  expect(root.status.code).toBe(SpanStatusCode.UNSET);
  expect(span('Building engine').status.code).toBe(SpanStatusCode.UNSET);
  expect(root.attributes['tensorrt.build.result']).toBe('cancelled');
  expect(reportOf(root.attributes)).toEqual({
    'tensorrt.cancel.source': 'budget',
    'tensorrt.cancel.message': 'over its budget of 1 ms',
    'tensorrt.cancel.detail': 'total',
    'tensorrt.cancel.requested_at': 0.001,
    'tensorrt.cancel.phase': 'Timing tactics',
    'tensorrt.cancel.phase_path': ['Building engine', 'Timing tactics'],
    'tensorrt.cancel.step': 3,
    'tensorrt.cancel.acknowledged.by': 'exit',
    'tensorrt.cancel.acknowledged.after': 0.002,
    'tensorrt.cancel.latency': 0.0025,
    'tensorrt.cancel.escalation': 'terminate',
    'tensorrt.cancel.temporaries_removed': ['/out/.net.engine.7.trtscope-tmp'],
    'tensorrt.cancel.timing_cache_saved': false,
    'tensorrt.cancel.later': ['os-signal'],
    'tensorrt.cancel.too_late': false,
  });
});

test('the moments of a cancel are events on the build’s span, each at its time', async () => {
  const { root } = await traced(scriptedBuild(terminated));
  expect(root.events.map(({ name, time, attributes }) => [name, sinceStartNs(time), attributes])).toEqual([
    [
      'tensorrt.cancel.requested',
      1_000_000,
      {
        'tensorrt.cancel.source': 'budget',
        'tensorrt.cancel.message': 'over its budget of 1 ms',
        'tensorrt.cancel.detail': 'total',
      },
    ],
    [
      'tensorrt.cancel.requested',
      1_500_000,
      { 'tensorrt.cancel.source': 'os-signal', 'tensorrt.cancel.message': 'Ctrl-C' },
    ],
    ['tensorrt.cancel.escalated', 2_000_000, { 'tensorrt.cancel.escalation': 'terminate' }],
    ['tensorrt.cancel.acknowledged', 3_000_000, { 'tensorrt.cancel.acknowledged.by': 'exit' }],
  ]);
});

test('an answer at a step says which, by the name of its phase', async () => {
  const { root } = await traced(
    scriptedBuild([
      ...timing,
      requested(ctrlC),
      { type: 'cancel.acknowledged', timeNs: 2_000_000, by: 'step', phase: 2, step: 4 },
      { type: 'build.finished', timeNs: 2_100_000, outcome: 'cancelled' },
    ]),
  );
  const answer = {
    'tensorrt.cancel.acknowledged.by': 'step',
    'tensorrt.cancel.acknowledged.phase': 'Timing tactics',
    'tensorrt.cancel.acknowledged.step': 4,
  };
  expect(root.attributes).toMatchObject({ ...answer, 'tensorrt.cancel.acknowledged.after': 0.0005 });
  expect(root.events.at(-1)?.attributes).toEqual(answer);
});

test('a request that came too late is told on the span of a build that was built', async () => {
  const { root } = await traced(scriptedBuild([requested(ctrlC), ended(2_000_000)]));
  expect(root.attributes['tensorrt.build.result']).toBe('built');
  expect(reportOf(root.attributes)).toEqual({
    'tensorrt.cancel.source': 'os-signal',
    'tensorrt.cancel.message': 'Ctrl-C',
    'tensorrt.cancel.requested_at': 0.0015,
    'tensorrt.cancel.latency': 0.0005,
    'tensorrt.cancel.escalation': 'none',
    'tensorrt.cancel.too_late': true,
  });
});

function reportOf(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => name.startsWith('tensorrt.cancel.')),
  );
}
