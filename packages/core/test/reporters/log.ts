import { EventEmitter } from 'node:events';
import type { ReporterStream } from '../../src/reporters/index.ts';

/** A stream that keeps what is written to it. */
export class Log extends EventEmitter implements ReporterStream {
  text = '';

  write(text: string, done?: () => void): boolean {
    this.text += text;
    done?.();
    return true;
  }
}
