/** OTEL_* variables that we would like, each group only where the user has set none of it. */
const groups = (exportTimeoutMs: number): readonly Readonly<Record<string, string>>[] => [
  { OTEL_SPAN_EVENT_COUNT_LIMIT: '2048' },
  // Every phase of a large build may end in one tick: the SDK's queue of 2,048 would lose the root.
  { OTEL_BSP_MAX_QUEUE_SIZE: '65536', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048' },
  // Who asks for the Prometheus exporter gets a port: the SDK would open it to every network.
  { OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1' },
  // The SDK's 10 s would be how long a dead collector holds up the end of the program.
  {
    OTEL_EXPORTER_OTLP_TIMEOUT: `${exportTimeoutMs}`,
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: `${exportTimeoutMs}`,
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: `${exportTimeoutMs}`,
    OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: `${exportTimeoutMs}`,
  },
];

/**
 * Runs `setUp` as if the user had set our defaults too. The SDK reads these variables while it is set up, on every
 * release line alike, and only then are they there: a child process never inherits them. `exportTimeoutMs` is for one request.
 */
export function withEnvironmentDefaults<T>(exportTimeoutMs: number, setUp: () => T): T {
  const added: string[] = [];
  for (const group of groups(exportTimeoutMs)) {
    if (Object.keys(group).some((name) => isSet(name))) continue;
    for (const [name, value] of Object.entries(group)) {
      process.env[name] = value;
      added.push(name);
    }
  }
  try {
    return setUp();
  } finally {
    for (const name of added) delete process.env[name];
  }
}

/** OpenTelemetry takes an empty variable for an absent one. */
export function isSet(name: string): boolean {
  return (process.env[name] ?? '').trim() !== '';
}
