import { displayWidth } from './display-text.ts';
import type { ReporterStream } from './terminal.ts';

// Autowrap is off while a frame is drawn: a line measured too short is cut, and can never take a second row. The synchronized
// update keeps terminals that know it from showing half a frame.
const beginFrame = '\x1b[?2026h\x1b[?7l';
const endFrame = '\x1b[?7h\x1b[?2026l';
const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const sgr = /\x1b\[\d+m/g; // oxlint-disable-line no-control-regex

/** Size of a terminal, with a fallback for those that do not tell. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The lines at the bottom of a terminal that are drawn over and over. The cursor waits, hidden, at the beginning of the empty
 * row below them, so that what others write comes after, and so that a terminal which wraps lines anew keeps it there.
 */
export class LiveArea {
  readonly #stream: ReporterStream;
  readonly #write: (text: string) => void;
  readonly #reflows: boolean;
  #lines: readonly string[] = [];
  #columns = 0;
  // Rows of ours that a smaller screen has pushed out at its top. A screen that grows may bring them back.
  #lost = 0;
  #hidden = false;

  /** `reflows`: the terminal wraps lines anew when it is resized. `write` writes to `stream`. */
  constructor(stream: ReporterStream, write: (text: string) => void, reflows: boolean) {
    this.#stream = stream;
    this.#write = write;
    this.#reflows = reflows;
  }

  get size(): ScreenSize {
    return { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
  }

  /** Most lines that a frame may have: the last row is the cursor's. */
  get height(): number {
    return this.size.rows - 1;
  }

  /** Draws `lines`, which fit the width, in place of the last ones; nothing when they are the same. */
  draw(lines: readonly string[]): void {
    const { columns } = this.size;
    if (columns === this.#columns && sameLines(lines, this.#lines)) {
      return;
    }
    const frame = lines.map((line) => `\x1b[2K${line}\r\n`).join('');
    this.#write(`${this.#hide()}${beginFrame}${this.#toTop()}${frame}\x1b[J${endFrame}`);
    this.#lines = lines;
    this.#columns = columns;
  }

  /** Takes the lines off the screen: the next thing written stands in their place. */
  erase(): void {
    if (this.#lines.length > 0) {
      this.#write(`${this.#toTop()}\x1b[J`);
      this.#lines = [];
      this.#lost = 0;
    }
  }

  /** Leaves the lines to what comes after, and shows the cursor again. Harmless when it is shown. */
  release(): void {
    this.#lines = [];
    if (this.#hidden) {
      this.#hidden = false;
      this.#write(`${endFrame}${showCursor}`);
    }
  }

  #hide(): string {
    const code = this.#hidden ? '' : hideCursor;
    this.#hidden = true;
    return code;
  }

  #toTop(): string {
    const { columns, rows } = this.size;
    const height = this.#height(columns) + (columns === this.#columns ? this.#lost : 0);
    const up = Math.min(height, rows - 1);
    this.#lost = height - up;
    return up > 0 ? `\r\x1b[${up}A` : '\r';
  }

  #height(columns: number): number {
    if (!this.#reflows || columns >= this.#columns) {
      return this.#lines.length;
    }
    const rowsOf = (line: string) => Math.max(1, Math.ceil(displayWidth(line.replaceAll(sgr, '')) / columns));
    return this.#lines.reduce((sum, line) => sum + rowsOf(line), 0);
  }
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}
