import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { cleanEnv } from './command.ts';

/** How a command in a terminal ended. */
export interface TerminalEnd {
  readonly exitCode: number;
  readonly signal?: number | undefined;
}

export interface TerminalOptions {
  /** Default: Node. */
  readonly program?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** A command in a real pseudo-terminal, and what the screen shows. */
export class Terminal {
  static readonly #running = new Set<Terminal>();

  readonly ended: Promise<TerminalEnd>;
  readonly pid: number;
  /** All that came, escape codes included. */
  output = '';
  readonly #pty: ReturnType<typeof spawn>;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly #waiting = new Set<() => void>();
  #exited = false;

  constructor(args: readonly string[], options: TerminalOptions = {}) {
    const [cols, rows] = [80, 24];
    this.#screen = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
    this.#pty = spawn(options.program ?? process.execPath, [...args], {
      name: 'xterm-256color',
      cols,
      rows,
      cwd: options.cwd ?? process.cwd(),
      env: cleanEnv(options.env),
    });
    this.pid = this.#pty.pid;
    Terminal.#running.add(this);
    this.#pty.onData((data) => {
      this.output += data;
      this.#screen.write(data, () => this.#look());
    });
    this.ended = new Promise((resolve) => {
      this.#pty.onExit((end) => {
        this.#exited = true;
        Terminal.#running.delete(this);
        // Writing nothing is answered when all before it is on the screen.
        this.#screen.write('', () => {
          this.#look();
          resolve(end);
        });
      });
    });
  }

  /** Leaves no command behind that a failed test has not ended. */
  static killAll(): void {
    for (const terminal of Terminal.#running) terminal.kill('SIGKILL');
  }

  /** All rows, those included that have gone out at the top, without the empty ones at the end. */
  get rows(): string[] {
    const buffer = this.#screen.buffer.active;
    const rows = Array.from(
      { length: buffer.length },
      (_, at) => buffer.getLine(at)?.translateToString(true) ?? '',
    );
    return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
  }

  get cursorHidden(): boolean {
    return this.output.lastIndexOf('\u001b[?25l') > this.output.lastIndexOf('\u001b[?25h');
  }

  /** How often the live tree was drawn whole. */
  get frames(): number {
    return this.output.split('\u001b[?2026l').length - 1;
  }

  /** Types, as a person would: Ctrl-C is `\x03`. */
  type(text: string): void {
    this.#pty.write(text);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Resolves when the screen is as `holds` says; rejects when the command ends before. */
  until(holds: (rows: readonly string[]) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (holds(this.rows)) {
          this.#waiting.delete(look);
          resolve();
        } else if (this.#exited) {
          this.#waiting.delete(look);
          reject(new Error(`it ended before the screen was so:\n${this.rows.join('\n')}`));
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
