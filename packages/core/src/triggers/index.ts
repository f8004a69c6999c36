export { osSignals } from './os-signals.ts';
export type { CancelSignal } from './os-signals.ts';
