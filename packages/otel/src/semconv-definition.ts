/** `development`: may change in any release. `stable`: OpenTelemetry's own, or ours and settled. */
export type Stability = 'development' | 'stable';

/** One name. */
export interface Definition {
  readonly name: string;
  /** What carries it. */
  readonly on: string;
  readonly type?: string;
  readonly unit?: string;
  readonly stability: Stability;
  readonly brief: string;
  /** Of a histogram: the boundaries that it advises. */
  readonly buckets?: readonly number[];
}

/** An attribute, or anything else that has no boundaries. */
export function define<N extends string>(
  name: N,
  on: string,
  type: string,
  brief: string,
  unit?: string,
  stability: Stability = 'development',
): Definition & { readonly name: N } {
  return { name, on, type, brief, stability, ...(unit === undefined ? {} : { unit }) };
}
