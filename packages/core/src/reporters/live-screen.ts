import { LiveArea } from './live-area.ts';
import type { ScreenSize } from './live-area.ts';
import { Outlet } from './outlet.ts';
import { guardOutput } from './output-guard.ts';
import { reflows } from './terminal.ts';
import type { Environment, ReporterStream } from './terminal.ts';
import { guardTerminal } from './terminal-guard.ts';

/** A live area that gives way to what others write, and leaves the terminal in order however the process ends. */
export class LiveScreen {
  readonly #stream: ReporterStream;
  readonly #outlet: Outlet;
  readonly #area: LiveArea;
  readonly #disturbed: () => void;
  readonly #letGo: readonly (() => void)[];
  #midLine = false;
  #drawing = false;

  /** `guard` are streams of this terminal; `disturbed` is called when the area should be drawn again. */
  constructor(
    stream: ReporterStream,
    guard: readonly ReporterStream[],
    env: Environment,
    disturbed: () => void,
  ) {
    this.#stream = stream;
    this.#disturbed = disturbed;
    this.#outlet = new Outlet(stream);
    this.#area = new LiveArea(stream, (text) => this.#write(text), reflows(env));
    stream.on('resize', disturbed);
    this.#letGo = [
      ...guard.map((other) => guardOutput(other, this.#giveWay, this.#follow)),
      guardTerminal({ restore: () => this.#area.release(), resume: disturbed }),
    ];
  }

  /** What a frame may take: the last row is the cursor's. */
  get size(): ScreenSize {
    const { columns, rows } = this.#area.size;
    return { columns, rows: rows - 1 };
  }

  draw(lines: readonly string[]): void {
    if (this.#midLine) {
      this.#write('\r\n');
      this.#midLine = false;
    }
    this.#area.draw(lines);
  }

  /** Writes `text`, whole lines, above the area, where it stays. */
  print(text: string): void {
    this.#giveWay();
    this.#write(text);
    this.#follow(text);
  }

  /** Writes `text` in place of the area, for good, and leaves the terminal to others. */
  async close(text: string): Promise<void> {
    this.draw([]);
    this.#write(text);
    this.#area.release();
    for (const letGo of this.#letGo) {
      letGo();
    }
    this.#stream.off('resize', this.#disturbed);
    await this.#outlet.close();
  }

  readonly #giveWay = (): void => {
    if (!this.#drawing) {
      this.#area.erase();
    }
  };

  readonly #follow = (written: string | Uint8Array): void => {
    if (!this.#drawing && written.length > 0) {
      this.#midLine = typeof written === 'string' ? !written.endsWith('\n') : written.at(-1) !== 10;
      this.#disturbed();
    }
  };

  #write(text: string): void {
    this.#drawing = true;
    try {
      this.#outlet.write(text);
    } finally {
      this.#drawing = false;
    }
  }
}
