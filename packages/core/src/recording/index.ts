export { openRecording, readRecording } from './read-recording.ts';
export type { Recording } from './read-recording.ts';
export { recordingConsumer, recordTo } from './record.ts';
export type { RecordingConsumer, RecordingOutcome } from './record.ts';
