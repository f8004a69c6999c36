export { openRecording, readRecording } from './read-recording.ts';
export type { Recording } from './read-recording.ts';
export { recordingConsumer, recordTo } from './recorder.ts';
export type { RecordingConsumer, RecordingOutcome } from './recorder.ts';
export { replaceFile } from './replace-file.ts';
export { temporaryFor } from './temporaries.ts';
