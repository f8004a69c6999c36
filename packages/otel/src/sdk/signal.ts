/** What OTLP has an address for. */
export type Signal = 'traces' | 'metrics' | 'logs';

export const signals: readonly Signal[] = ['traces', 'metrics', 'logs'];
