import type { ReceivedSpan } from '../../scripts/demo/otlp-spans.ts';

/** The steps that TensorRT-RTX 1.7 makes for light_resnet50. */
export const rtxSteps = 1_883;

/** Its phases, each with its parent; the first one's is the build's own span. */
export function rtxPhases(build: string): readonly string[] {
  return [
    `Building engine < ${build}`,
    'Building engine from subgraph < Building engine',
    'Cloning network graph < Building engine',
    'Computing profile costs < Building engine from subgraph',
    'Computing reformatting costs < Timing tensor reformats',
    'Computing reformatting costs < Timing tensor reformats',
    'Determining refit engines < Computing profile costs',
    'Optimizing graph < Building engine from subgraph',
    'Preparing graph for optimization < Building engine',
    'Timing graph nodes < Timing tactics',
    'Timing tactics < Computing profile costs',
    'Timing tensor reformats < Timing tactics',
  ];
}

/** TensorRT's phases in a trace, in the same form. */
export function tensorrtPhases(spans: readonly ReceivedSpan[]): string[] {
  const nameOf = (id: string | undefined) => spans.find((span) => span.spanId === id)?.name;
  return spans
    .filter((span) => span.attributes['tensorrt.phase.origin'] === 'tensorrt')
    .map((span) => `${span.name} < ${nameOf(span.parentSpanId)}`)
    .toSorted();
}
