import { expect, test } from 'vitest';
import { spanTree } from '../../scripts/demo/span-tree.ts';
import type { ReceivedSpan } from '../../scripts/demo/otlp-spans.ts';

test('spans are shown as a tree, in order of their starts, with durations and step events aligned', () => {
  const spans = [
    span('4', '2', 'Cloning network graph', 30_000_000, 31_500_000, 1_827),
    span('3', '1', 'load TensorRT', 0, 20_400_000),
    span('5', '2', 'Timing', 40_000_000, 40_000_700, 1),
    span('2', '1', 'Building engine', 25_000_000, 1_025_000_000, 5),
    span('1', undefined, 'build light_resnet50', 0, 1_042_000_000),
  ];
  expect(spanTree(spans).split('\n')).toEqual([
    'build light_resnet50         1.04 s',
    '├─ load TensorRT             20.4 ms',
    '└─ Building engine           1.00 s   5 step events',
    '   ├─ Cloning network graph   1.5 ms  1,827 step events',
    '   └─ Timing                  0.7 µs  1 step event',
  ]);
});

test('errors and dropped events are shown', () => {
  const broken: ReceivedSpan = {
    ...span('1', undefined, 'build net', 0, 1_000_000, 128),
    droppedEvents: 1_430,
    status: 'error',
    statusMessage: 'no tactic',
  };
  expect(spanTree([broken])).toBe('build net  1.0 ms  128 step events, 1,430 dropped, error: no tactic');
});

test('a span whose parent did not arrive is a root, and no spans are no text', () => {
  expect(spanTree([span('2', '1', 'build net', 0, 2_000_000)])).toBe('build net  2.0 ms');
  expect(spanTree([])).toBe('');
});

function span(
  id: string,
  parent: string | undefined,
  name: string,
  startNs: number,
  endNs: number,
  steps = 0,
): ReceivedSpan {
  return {
    traceId: 't',
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name,
    startNs: BigInt(startNs),
    endNs: BigInt(endNs),
    attributes: {},
    events: Array.from({ length: steps }, () => ({ name: 'tensorrt.step', timeNs: 0n, attributes: {} })),
    droppedEvents: 0,
    status: 'unset',
    resource: {},
  };
}
