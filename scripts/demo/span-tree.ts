import type { ReceivedSpan } from './otlp-spans.ts';

interface Row {
  readonly label: string;
  readonly duration: string;
  readonly note: string;
}

/**
 * The spans as text, one line each, children under their parents in order of their starts: name, duration, step events.
 * A span whose parent did not arrive is shown as a root.
 */
export function spanTree(spans: readonly ReceivedSpan[]): string {
  const ids = new Set(spans.map((span) => span.spanId));
  const children = Map.groupBy(
    [...spans].sort((a, b) => compare(a.startNs, b.startNs)),
    ({ parentSpanId }) => (parentSpanId !== undefined && ids.has(parentSpanId) ? parentSpanId : ''),
  );
  const rows = (children.get('') ?? []).flatMap((root) => rowsOf(root, children, '', ''));
  const labelWidth = Math.max(0, ...rows.map((row) => row.label.length));
  const durationWidth = Math.max(0, ...rows.map((row) => row.duration.length));
  return rows
    .map(({ label, duration, note }) =>
      `${label.padEnd(labelWidth)}  ${duration.padStart(durationWidth)}  ${note}`.trimEnd(),
    )
    .join('\n');
}

function rowsOf(
  span: ReceivedSpan,
  children: ReadonlyMap<string, readonly ReceivedSpan[]>,
  branch: string,
  indent: string,
): Row[] {
  const below = children.get(span.spanId) ?? [];
  return [
    { label: branch + span.name, duration: durationText(span.endNs - span.startNs), note: noteOn(span) },
    ...below.flatMap((child, index) =>
      index === below.length - 1
        ? rowsOf(child, children, `${indent}└─ `, `${indent}   `)
        : rowsOf(child, children, `${indent}├─ `, `${indent}│  `),
    ),
  ];
}

function noteOn(span: ReceivedSpan): string {
  const steps = span.events.filter((event) => event.name === 'tensorrt.step').length;
  const notes = [
    ...(steps > 0 ? [`${count(steps)} step event${steps === 1 ? '' : 's'}`] : []),
    ...(span.droppedEvents > 0 ? [`${count(span.droppedEvents)} dropped`] : []),
    ...(span.status === 'error' ? [`error: ${span.statusMessage ?? 'no message'}`] : []),
  ];
  return notes.join(', ');
}

function durationText(ns: bigint): string {
  const ms = Number(ns) / 1e6;
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s `;
  return ms >= 1 ? `${ms.toFixed(1)} ms` : `${(ms * 1_000).toFixed(1)} µs`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
