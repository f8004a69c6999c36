type AttributeValue = string | number | boolean | readonly unknown[] | undefined;
type ReceivedAttributes = Readonly<Record<string, AttributeValue>>;

/** A span event as it arrived. */
interface ReceivedEvent {
  readonly name: string;
  readonly timeNs: bigint;
  readonly attributes: ReceivedAttributes;
}

/** A span as it arrived. Times are nanoseconds since 1970. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for a root. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: ReceivedAttributes;
  readonly events: readonly ReceivedEvent[];
  readonly droppedEvents: number;
  readonly status: 'unset' | 'ok' | 'error';
  readonly statusMessage?: string;
  readonly resource: ReceivedAttributes;
}

// The parts of OTLP's JSON that are read (ExportTraceServiceRequest): every field may be absent.
interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: readonly KeyValue[];
  }[];
  readonly droppedEventsCount?: number;
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}

interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
}

/** The spans of one OTLP export request in its JSON form. */
export function readSpans(request: unknown): ReceivedSpan[] {
  return ((request as OtlpRequest).resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) => {
    const resourceAttributes = readAttributes(resource?.attributes);
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => readSpan(span, resourceAttributes)));
  });
}

function readSpan(span: OtlpSpan, resource: ReceivedAttributes): ReceivedSpan {
  const { code = 0, message } = span.status ?? {};
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId ? { parentSpanId: span.parentSpanId } : {}),
    name: span.name,
    startNs: BigInt(span.startTimeUnixNano),
    endNs: BigInt(span.endTimeUnixNano),
    attributes: readAttributes(span.attributes),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      timeNs: BigInt(event.timeUnixNano),
      attributes: readAttributes(event.attributes),
    })),
    droppedEvents: span.droppedEventsCount ?? 0,
    status: (['unset', 'ok', 'error'] as const)[code] ?? 'unset',
    ...(message ? { statusMessage: message } : {}),
    resource,
  };
}

function readAttributes(list: readonly KeyValue[] = []): ReceivedAttributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));
}

// 64-bit integers travel as strings.
function readValue(value: AnyValue = {}): AttributeValue {
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map((item) => readValue(item));
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}
