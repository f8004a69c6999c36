export { customTrigger } from './custom-trigger.ts';
export type { CustomCancel } from './custom-trigger.ts';
export { fileTrigger } from './file-trigger.ts';
export { osSignals } from './os-signals.ts';
export type { CancelSignal } from './os-signals.ts';
export { stdinTrigger } from './stdin-trigger.ts';
