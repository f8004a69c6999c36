import type { Build, Consumer } from '../build.ts';
import type { Clock } from '../clock.ts';
import type { Environment, ReporterStream } from './terminal.ts';

/** What a reporter needs of a build. */
export type ReportedBuild = Pick<Build, 'subject' | 'elapsedNs'>;

export interface ReporterOptions {
  /** Where it writes. Default: stderr; `json` writes to stdout. */
  readonly stream?: ReporterStream;
  /** Default: `process.env`. */
  readonly env?: Environment;
  /** Paces frames and lines. Default: the machine's. */
  readonly clock?: Clock;
  /** Shows every line of TensorRT's log, not only warnings and errors. Default false. */
  readonly verbose?: boolean;
  /** Tells the plain lines of one build from those of others: `trtscope LABEL: …`. Default: none. */
  readonly label?: string;
}

/** A consumer that shows a build to people. */
export interface Reporter extends Consumer {
  /** Writes `text` where it does not disturb what is being drawn; a line end is added where it has none. */
  print(text: string): void;
}
