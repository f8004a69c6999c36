import { readFileSync } from 'node:fs';
import { decodeEvents } from '../src/codec.ts';
import type { BuildEvent } from '../src/events.ts';

/** Builds of real models by real TensorRT, recorded callback by callback. */
export const recordingNames = [
  'basic-pitch',
  'parse-failed-unsupported-op',
  'pp-ocrv4-det',
  'rapidocr-cls-failed',
  'silero-vad-openvino-16k',
  'synthetic-1500-layers-cancelled',
  'synthetic-convnet',
  'synthetic-convnet-cancelled',
  'synthetic-convnet-rtx-1.4',
  'synthetic-convnet-workspace-too-small',
] as const;

export type RecordingName = (typeof recordingNames)[number];

export function recordingPath(name: RecordingName): string {
  return new URL(`../../../test/recordings/${name}.jsonl`, import.meta.url).pathname;
}

export function recordingText(name: RecordingName): string {
  return readFileSync(recordingPath(name), 'utf8');
}

export function recordedEvents(name: RecordingName): BuildEvent[] {
  return decodeEvents(recordingText(name));
}
