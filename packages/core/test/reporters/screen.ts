import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import type { ReporterStream } from '../../src/reporters/index.ts';

/** A stream that a terminal reads, and what it shows. */
export class Screen extends EventEmitter implements ReporterStream {
  readonly isTTY = true;
  /** Every write, as it came. */
  readonly writes: string[] = [];
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  #written: Promise<void> = Promise.resolve();

  constructor(columns: number, rows: number) {
    super();
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 1000,
      allowProposedApi: true,
      convertEol: true,
    });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  write(text: string, done?: () => void): boolean {
    this.writes.push(text);
    this.#written = this.#written.then(() => new Promise((resolve) => this.#terminal.write(text, resolve)));
    done?.();
    return true;
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#written;
    this.#terminal.resize(columns, rows);
    this.emit('resize');
  }

  /** The rows on the screen, without the empty ones at its end. */
  async shown(): Promise<string[]> {
    return (await this.#lines()).slice(this.#terminal.buffer.active.baseY);
  }

  /** All rows, those included that have gone out at the top. */
  async all(): Promise<string[]> {
    return this.#lines();
  }

  async cursor(): Promise<{ readonly column: number; readonly row: number; readonly hidden: boolean }> {
    await this.#written;
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const hidden =
      this.writes.join('').lastIndexOf('\x1b[?25l') > this.writes.join('').lastIndexOf('\x1b[?25h');
    return { column: cursorX, row: cursorY, hidden };
  }

  async #lines(): Promise<string[]> {
    await this.#written;
    const buffer = this.#terminal.buffer.active;
    const lines = Array.from(
      { length: buffer.length },
      (_, at) => buffer.getLine(at)?.translateToString(true) ?? '',
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }
}
