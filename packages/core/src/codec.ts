import { TrtscopeError } from './errors.ts';
import type { BuildEvent } from './events.ts';
import { baseFields, eventFields, type Fields } from './event-fields.ts';
import { faultIn, show } from './field-check.ts';

/** The version of the JSON-lines form, `v` on its first line. */
export const eventVersion = 1;

/** Writes one stream of events as JSON lines: the first line carries the version. */
export class EventEncoder {
  #first = true;

  /** One line, its end included. */
  encode(event: BuildEvent): string {
    const line = JSON.stringify(this.#first ? { v: eventVersion, ...event } : event);
    this.#first = false;
    return `${line}\n`;
  }
}

export interface DecoderOptions {
  /** A line longer than this is refused. Default 16,777,216 (2^24) UTF-16 units. */
  readonly maxLineLength?: number;
  /** Gets what is of no type that is known here; the version is taken off. Its fields have not been checked. */
  readonly onUnknown?: (event: Readonly<Record<string, unknown>>) => void;
}

/**
 * Reads one stream of JSON lines, chunk by chunk. Known fields are checked; unknown fields are kept as they are, events of
 * an unknown type are skipped and counted. Faults are {@link TrtscopeError}s with the code `EVENT_INVALID` or
 * `EVENT_VERSION`; what came before a fault is handed out first, and nothing is read after it.
 */
export class EventDecoder {
  readonly #maxLineLength: number;
  readonly #onUnknown: DecoderOptions['onUnknown'];
  #rest = '';
  #line = 0;
  #versionSeen = false;
  #skipped = 0;
  #fault: unknown;

  constructor(options: DecoderOptions = {}) {
    this.#maxLineLength = options.maxLineLength ?? 2 ** 24;
    this.#onUnknown = options.onUnknown;
  }

  /** How many events of an unknown type were left out. */
  get skipped(): number {
    return this.#skipped;
  }

  /** The events whose lines `text` completes. Throws on a faulty line; if events come before it, at the next call. */
  feed(text: string): BuildEvent[] {
    const events: BuildEvent[] = [];
    this.#guard(events, () => {
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        const line = this.#rest + text.slice(from, end);
        this.#rest = '';
        from = end + 1;
        this.#take(line, events);
      }
      this.#rest += text.slice(from);
      this.#checkLength(this.#rest, this.#line + 1);
    });
    return events;
  }

  /** What an unended last line holds. Throws when that line was cut off, and what {@link feed} held back. */
  end(): BuildEvent[] {
    const events: BuildEvent[] = [];
    this.#guard(events, () => {
      const line = this.#rest;
      this.#rest = '';
      if (line.trim() !== '' && !isJson(line)) {
        const where = `after ${line.length} characters`;
        throw invalid(this.#line + 1, `is cut off ${where}: the stream ended too early`);
      }
      this.#take(line, events);
    });
    return events;
  }

  /** Lets a fault out when no event would be lost by it, else keeps it for the next call. */
  #guard(events: readonly BuildEvent[], read: () => void): void {
    if (this.#fault === undefined) {
      try {
        read();
      } catch (error) {
        this.#fault = error;
        this.#rest = '';
      }
      if (events.length > 0) return;
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  #take(line: string, events: BuildEvent[]): void {
    this.#line += 1;
    this.#checkLength(line, this.#line);
    if (line.trim() === '') return;
    const event = this.#decode(line);
    if (event === undefined) this.#skipped += 1;
    else events.push(event);
  }

  #decode(line: string): BuildEvent | undefined {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw invalid(this.#line, `is not JSON: ${show(line)}`, error);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(this.#line, `must hold a JSON object, but holds ${show(value)}`);
    }
    const { v, ...event } = value as Record<string, unknown>;
    this.#checkVersion(v);
    return this.#check(event);
  }

  #checkVersion(v: unknown): void {
    if (v === eventVersion || (v === undefined && this.#versionSeen)) {
      this.#versionSeen = true;
      return;
    }
    const found = v === undefined ? 'it names none' : `it says ${show(v)}`;
    throw new TrtscopeError(
      'EVENT_VERSION',
      `Line ${this.#line}: this trtscope reads version ${eventVersion} of the event format ("v": ${eventVersion} on the first line), but ${found}.`,
    );
  }

  #check(event: Record<string, unknown>): BuildEvent | undefined {
    const { type } = event;
    if (typeof type !== 'string') {
      throw invalid(this.#line, `needs "type" to be a string, but it is ${show(type)}`);
    }
    const own = ownFields.get(type);
    if (own === undefined) {
      this.#onUnknown?.(event);
      return undefined;
    }
    const fault = faultIn(baseFields, event) ?? faultIn(own, event);
    if (fault !== undefined) {
      const { field, expected, value } = fault;
      throw invalid(this.#line, `(${type}) needs "${field}" to be ${expected}, but it is ${show(value)}`);
    }
    return event as unknown as BuildEvent;
  }

  #checkLength(line: string, number: number): void {
    if (line.length <= this.#maxLineLength) return;
    throw invalid(number, `is longer than ${this.#maxLineLength} characters, the most that is read`);
  }
}

/** A whole stream of JSON lines, of which `text` must hold the first line. */
export function decodeEvents(text: string, options?: DecoderOptions): BuildEvent[] {
  const decoder = new EventDecoder(options);
  const events = decoder.feed(text);
  return events.concat(decoder.end());
}

/** A whole stream of events as JSON lines. */
export function encodeEvents(events: Iterable<BuildEvent>): string {
  const encoder = new EventEncoder();
  return Array.from(events, (event) => encoder.encode(event)).join('');
}

// A map, so that a type such as "constructor" is as unknown as any other.
const ownFields = new Map<string, Fields>(Object.entries(eventFields));

function invalid(line: number, what: string, cause?: unknown): TrtscopeError {
  return new TrtscopeError('EVENT_INVALID', `Line ${line} ${what}.`, { cause });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
