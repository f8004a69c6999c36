export { startTelemetry } from './start-telemetry.ts';
export type { Telemetry, TelemetryOptions } from './start-telemetry.ts';
