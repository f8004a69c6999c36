import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';

/** An SDK of the test's own for logs. */
export function logged(): {
  readonly loggerProvider: LoggerProvider;
  readonly records: () => readonly ReadableLogRecord[];
  readonly named: (name: string) => readonly ReadableLogRecord[];
} {
  const exporter = new InMemoryLogRecordExporter();
  const records = () => exporter.getFinishedLogRecords();
  return {
    loggerProvider: new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }),
    records,
    named: (name) => records().filter((record) => record.eventName === name),
  };
}
