import { expect, test } from 'vitest';
import { buildSpanName, phaseSpanName, stem } from '../src/span-name.ts';

test.each([
  'Building engine',
  'Building engine from subgraph',
  'Cloning network graph',
  'Computing profile costs',
  'Optimizing graph',
  'Timing tensor reformats',
  'load TensorRT',
  "The optimizer's tactics don't change",
  'Fusing & folding (pre-tuning)',
])('the phase %j keeps its name', (title) => {
  expect(phaseSpanName(title)).toBe(title);
});

test.each([
  ['Building engine for profile 3/7', 'Building engine for profile'],
  ['Timing node "/model.22/cv3.1/conv/Conv" on stream 4', 'Timing node on stream'],
  ["Importing 'light_resnet50'", 'Importing'],
  ['Autotuning [conv1 + relu_1]', 'Autotuning'],
  ['Tactic 0x1f3a (device 0)', 'Tactic (device)'],
  ['Layer `a`: timing', 'Layer timing'],
  ['Timing: 3', 'Timing'],
  ['Строим движок 12', 'Строим движок'],
])('the phase %j becomes the span %j', (title, name) => {
  expect(phaseSpanName(title)).toBe(name);
});

test.each(['', '  ', '42', '"resnet"', '1 – 2'])(
  'a title with nothing left, %j, becomes the span "phase"',
  (title) => {
    expect(phaseSpanName(title)).toBe('phase');
  },
);

test('a build is named after its model or engine file', () => {
  expect(buildSpanName(stem('/models/light_resnet50.onnx'))).toBe('build light_resnet50');
  expect(buildSpanName(stem('out.d/net.v2.engine'))).toBe('build net.v2');
  expect(buildSpanName(stem('.onnx'))).toBe('build .onnx');
  expect(buildSpanName(undefined)).toBe('build');
});
