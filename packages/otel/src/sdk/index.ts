export { probeEndpoint } from './probe-endpoint.ts';
export type { EndpointAnswer, ProbeOptions } from './probe-endpoint.ts';
export { startTelemetry } from './start-telemetry.ts';
export type { Telemetry, TelemetryOptions } from './start-telemetry.ts';
export type { Signal } from './signal.ts';
