import type { Consumer } from '../build.ts';
import { EventEncoder } from '../codec.ts';
import { Outlet } from './outlet.ts';
import type { ReporterStream } from './terminal.ts';

/**
 * Writes a build's events as JSON lines, the form of docs/events.md. Default stream: stdout. When the reader leaves it falls
 * silent; when the reader is slow, steps merge without losing the count.
 */
export function jsonReporter(options: { readonly stream?: ReporterStream } = {}): Consumer {
  const outlet = new Outlet(options.stream ?? process.stdout);
  const encoder = new EventEncoder();
  return {
    name: 'json',
    receive(events) {
      outlet.write(events.map((event) => encoder.encode(event)).join(''));
      return outlet.ready();
    },
    close: () => outlet.close(),
  };
}
