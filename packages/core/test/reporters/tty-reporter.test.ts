import { afterEach, describe, expect, it } from 'vitest';
import { ttyReporter } from '../../src/reporters/index.ts';
import type { Environment, Reporter } from '../../src/reporters/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { Screen } from './screen.ts';
import { ScriptedBuild } from './scripted-build.ts';

interface Scene {
  readonly clock: FakeClock;
  readonly screen: Screen;
  readonly build: ScriptedBuild;
  readonly reporter: Reporter;
}

const listeners = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGTSTP'].map((event) => process.listenerCount(event));

const open: Reporter[] = [];

afterEach(async () => {
  for (const reporter of open.splice(0)) {
    await reporter.close?.();
  }
});

function scene(columns = 80, rows = 24, env: Environment = {}): Scene {
  const clock = new FakeClock();
  const screen = new Screen(columns, rows);
  const build = new ScriptedBuild(clock);
  const reporter = ttyReporter(build, { stream: screen, env, clock });
  open.push(reporter);
  return { clock, screen, build, reporter };
}

/** Two seconds into a build, one phase live in another. */
function middleOfBuild(columns?: number, rows?: number, env?: Environment): Scene {
  const some = scene(columns, rows, env);
  const { clock, build, reporter } = some;
  void reporter.receive([...build.begin(), build.start('parse', { own: true })]);
  clock.advance(120);
  void reporter.receive([build.finish('parse'), build.start('Building engine', { steps: 6 })]);
  clock.advance(880);
  void reporter.receive([
    build.start('Optimizing graph', { steps: 30, parent: 'Building engine' }),
    build.step('Optimizing graph', 30),
    build.finish('Optimizing graph', 30),
    build.step('Building engine', 1),
    build.start('Timing tactics', { steps: 400, parent: 'Building engine' }),
    build.step('Timing tactics', 123),
  ]);
  clock.advance(1000);
  return some;
}

describe('a live tree', () => {
  it('has a row per phase, and for a live one a bar, counts and the time so far', async () => {
    const { screen } = middleOfBuild();
    expect(await screen.shown()).toEqual([
      'resnet50.onnx → resnet50.engine  TensorRT for RTX 1.7.1',
      '✓ parse                                                  120 ms',
      '▸ Building engine         ━━━─────────────────      1/6     1 s',
      '  ✓ Optimizing graph                              30/30    0 ms',
      '  ▸ Timing tactics        ━━━━━━──────────────  123/400     1 s',
      '21% · 2 s',
    ]);
  });

  it('reads N/N with a full bar at the last step', async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([build.step('Timing tactics', 400)]);
    clock.advance(100);
    expect(await screen.shown()).toContainEqual(expect.stringContaining('━━━━━━━━━━━━━━━━━━━━  400/400'));
  });

  it('says how long TensorRT has been silent, and in which phase', async () => {
    const { screen, clock } = middleOfBuild();
    clock.advance(1800);
    expect((await screen.shown()).at(-1)).toBe('21% · 3 s');
    clock.advance(40_200);
    expect((await screen.shown()).at(-1)).toBe('21% · 44 s · no signal for 43 s in Timing tactics');
  });

  it('says what a silent process does when its source knows', async () => {
    const { screen, clock, build, reporter } = middleOfBuild();
    clock.advance(5000);
    void reporter.receive([build.say({ type: 'quiet', forNs: 5e9, alive: true, cpu: 0.98 })]);
    clock.advance(100);
    expect((await screen.shown()).at(-1)).toBe(
      '21% · 7 s · no signal for 6 s, process working in Timing tactics',
    );
  });

  it('shows from a cancel on that it is under way, since when and who asked', async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([build.cancel()]);
    clock.advance(2200);
    expect((await screen.shown()).at(-1)).toBe('cancelling… 2 s (os-signal: Ctrl-C)');
    void reporter.receive([build.say({ type: 'cancel.escalated', to: 'terminate' })]);
    clock.advance(1000);
    expect((await screen.shown()).at(-1)).toBe('terminating… 3 s (os-signal: Ctrl-C)');
  });

  it('fits a terminal of 20 columns, with counts', async () => {
    const { screen, build, reporter, clock } = middleOfBuild(20, 24);
    clock.advance(4000);
    void reporter.receive([build.cancel()]);
    clock.advance(2200);
    expect(await screen.shown()).toEqual([
      'resnet50.onnx → res…',
      '✓ parse',
      '▸ Building…      1/6',
      ' ✓ Optimiz…    30/30',
      ' ▸ Timing …  123/400',
      'no signal for 7 s',
      'cancelling… 2 s (os…',
    ]);
  });

  it('shows the live phases first when there are fewer rows, and how many are hidden', async () => {
    const { screen } = middleOfBuild(80, 5);
    expect(await screen.shown()).toEqual([
      '▸ Building engine         ━━━─────────────────      1/6     1 s',
      '  ▸ Timing tactics        ━━━━━━──────────────  123/400     1 s',
      '… 2 more hidden',
      '21% · 2 s',
    ]);
  });

  it.each([1, 2, 3])('draws no more than a screen of %i rows has', async (rows) => {
    const { screen } = middleOfBuild(80, rows);
    expect((await screen.all()).length).toBeLessThan(rows + 1);
  });

  it('draws at most ten frames a second, however many events come', () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    const before = screen.writes.length;
    for (let done = 124; done < 324; done += 1) {
      void reporter.receive([build.step('Timing tactics', done)]);
      clock.advance(5);
    }
    expect(screen.writes.length - before).toBeLessThanOrEqual(11);
  });

  it('writes nothing while nothing visible changes', () => {
    const { screen, clock } = middleOfBuild();
    clock.advance(250);
    const before = screen.writes.length;
    clock.advance(500);
    expect(screen.writes.length).toBe(before);
  });

  it('lines wide characters and emoji up', async () => {
    const { screen, build, reporter, clock } = scene(80, 24, { NO_COLOR: '1' });
    void reporter.receive([
      ...build.begin(),
      build.start('构建引擎 🚀', { steps: 9 }),
      build.start('e\u0301tape', { steps: 9 }),
    ]);
    clock.advance(1000);
    const rows = screen.writes.findLast((text) => text.includes('🚀'))?.match(/▸.*/gu);
    expect(rows).toEqual([
      '▸ 构建引擎 🚀             ────────────────────  0/9     1 s',
      '▸ e\u0301tape                   ────────────────────  0/9     1 s',
    ]);
  });

  it('lets no control character of a name or message reach the terminal', async () => {
    const { screen, build, reporter, clock } = scene();
    const evil = 'a\u001b[2Jb\u0007\u009b31m\u202ec\nd';
    void reporter.receive([
      ...build.begin(),
      build.start(evil, { steps: 1 }),
      build.say({ type: 'log', severity: 'error', origin: 'tensorrt', message: evil }),
      build.cancel({ message: evil }),
    ]);
    clock.advance(4000);
    void reporter.receive([
      build.say({
        type: 'build.finished',
        outcome: 'failed',
        error: { code: 'BUILD_FAILED', message: evil },
      }),
    ]);
    const shown = (await screen.shown()).join('\n');
    expect(shown).toContain('■ a\\x1b[2Jb\\x07\\x9b31m\\u202ec d');
    for (const control of ['\u001b[2J', '\u0007', '\u009b', '\u202e']) {
      expect(screen.writes.join('')).not.toContain(control);
    }
  });

  it('has no colours where NO_COLOR asks for none, and has them where FORCE_COLOR asks for them', () => {
    // oxlint-disable-next-line no-control-regex
    const colour = /\u001b\[3\dm/;
    expect(middleOfBuild(80, 24, { NO_COLOR: '1' }).screen.writes.join('')).not.toMatch(colour);
    expect(middleOfBuild(80, 24, { CI: 'true' }).screen.writes.join('')).not.toMatch(colour);
    expect(middleOfBuild(80, 24, { CI: 'true', FORCE_COLOR: '1' }).screen.writes.join('')).toMatch(colour);
  });
});

describe('a resized terminal', () => {
  it.each([
    [30, 24],
    [20, 24],
    [120, 24],
    [80, 8],
  ])('keeps one copy of each row when it becomes %i by %i', async (columns, rows) => {
    const { screen, clock } = middleOfBuild();
    screen.write('');
    await screen.resize(columns, rows);
    clock.advance(100);
    const lines = await screen.all();
    for (const name of ['parse', 'Building', 'Optimiz', 'Timing']) {
      expect(lines.filter((line) => line.includes(name))).toHaveLength(1);
    }
  });

  it('comes back to the whole tree without leftovers when it was too small for a while', async () => {
    const { screen, clock } = middleOfBuild();
    clock.advance(400);
    const before = await screen.shown();
    for (const [columns, rows] of [
      [80, 4],
      [80, 24],
      [20, 24],
      [80, 24],
    ] as const) {
      await screen.resize(columns, rows);
      clock.advance(100);
    }
    expect(await screen.all()).toEqual(before);
  });
});

describe('other output', () => {
  it('goes above the tree when it is printed through the reporter', async () => {
    const { screen, reporter, clock } = middleOfBuild();
    reporter.print('one');
    reporter.print('two\nthree\n');
    clock.advance(100);
    const shown = await screen.shown();
    expect(shown.slice(0, 3)).toEqual(['one', 'two', 'three']);
    expect(shown.filter((line) => line.includes('Building engine'))).toHaveLength(1);
  });

  it('goes above the tree when it is written past the reporter, also in pieces of a line', async () => {
    const { screen, clock } = middleOfBuild();
    screen.write('half a ');
    screen.write('line');
    clock.advance(100);
    screen.write('next\n');
    clock.advance(100);
    const shown = await screen.shown();
    expect(shown.slice(0, 3)).toEqual([
      'half a line',
      'next',
      'resnet50.onnx → resnet50.engine  TensorRT for RTX 1.7.1',
    ]);
    expect(shown.filter((line) => line.includes('Building engine'))).toHaveLength(1);
  });

  it('includes the warning that a budget runs out', async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([
      build.say({ type: 'budget.warning', budget: 'total', limitNs: 300e9, usedNs: 240e9 }),
    ]);
    clock.advance(100);
    expect((await screen.shown())[0]).toBe('warning: 80% of the total budget of 5m 00s is used');
  });

  it("includes TensorRT's warnings and errors, but not what it is chatty about", async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([
      build.say({ type: 'log', severity: 'warning', origin: 'tensorrt', message: 'slow kernel' }),
      build.say({ type: 'log', severity: 'info', origin: 'tensorrt', message: 'chatter' }),
      build.say({ type: 'log', severity: 'info', origin: 'trtscope', message: 'no GPU: building for 8.6' }),
    ]);
    clock.advance(100);
    expect((await screen.shown()).slice(0, 3)).toEqual([
      'warning: slow kernel',
      'info: no GPU: building for 8.6',
      'resnet50.onnx → resnet50.engine  TensorRT for RTX 1.7.1',
    ]);
  });
});

describe('the end', () => {
  it('leaves the tree with each time and a last line about the engine', async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([
      build.finish('Timing tactics', 400),
      build.finish('Building engine', 5),
      build.built(),
    ]);
    await reporter.close?.();
    expect(await screen.shown()).toEqual([
      'resnet50.onnx → resnet50.engine  TensorRT for RTX 1.7.1',
      '✓ parse                                                  120 ms',
      '✓ Building engine                                   5/6   1.9 s',
      '  ✓ Optimizing graph                              30/30    0 ms',
      '  ✓ Timing tactics                              400/400   1.0 s',
      '✓ built out/resnet50.engine, 98.3 MB, in 2.0 s',
    ]);
    expect(await screen.cursor()).toEqual({ column: 0, row: 6, hidden: false });
    expect(clock.waiting).toBe(0);
  });

  it('marks what a cancel stopped, and says who, where and how fast', async () => {
    const { screen, build, reporter, clock } = middleOfBuild();
    void reporter.receive([build.cancel()]);
    clock.advance(8);
    void reporter.receive([
      build.say({ type: 'cancel.acknowledged', by: 'step', step: 123 }),
      build.finish('Timing tactics', 124),
      build.finish('Building engine', 1),
      build.say({ type: 'build.finished', outcome: 'cancelled' }),
    ]);
    const shown = await screen.shown();
    expect(shown.slice(1, 5).map((line) => line.trim()[0])).toEqual(['✓', '■', '✓', '■']);
    expect(shown.slice(-3).join('')).toBe(
      '■ cancelled after 2.0 s by os-signal: Ctrl-C, in Building engine > Timing tactics after step 122; TensorRT answered at step 123 after 8 ms, ended 8 ms after the request',
    );
  });

  it('marks the phase a build failed in, and ends with the error', async () => {
    const { screen, build, reporter } = middleOfBuild();
    const message = 'no tactics to implement the operation within workspace limit';
    const phasePath = ['Building engine', 'Timing tactics'];
    void reporter.receive([
      build.finish('Timing tactics', 124),
      build.finish('Building engine', 1),
      build.say({
        type: 'build.finished',
        outcome: 'failed',
        error: { code: 'BUILD_FAILED', message, phasePath },
      }),
    ]);
    const shown = await screen.shown();
    expect(shown.filter((line) => line.includes('✗'))).toHaveLength(3);
    expect(shown.slice(-2).join('')).toBe(
      `✗ failed after 2.0 s: ${message} (in Building engine > Timing tactics)`,
    );
  });

  it('says that a cancel came too late for an engine that was in place', async () => {
    const { screen, build, reporter } = middleOfBuild();
    void reporter.receive([build.cancel(), build.built()]);
    expect((await screen.shown()).slice(-2).join('')).toContain(
      '; the cancel came too late (os-signal: Ctrl-C, 0 ms before the end)',
    );
  });

  it('keeps every phase on a screen that is shorter than the tree', async () => {
    const { screen, build, reporter } = middleOfBuild(80, 4);
    void reporter.receive([build.built()]);
    expect((await screen.all()).filter((line) => /parse|Building|Optimiz|Timing/.test(line))).toHaveLength(4);
  });

  it('gives the terminal back: no listener, no timer, no wrapper stays', async () => {
    const before = listeners();
    const { screen, build, reporter, clock } = middleOfBuild();
    expect(listeners()).toEqual(before.map((count) => count + 1));
    void reporter.receive([build.built()]);
    await reporter.close?.();
    await reporter.close?.();
    expect(listeners()).toEqual(before);
    expect(screen.eventNames()).toEqual([]);
    expect(clock.waiting).toBe(0);
    const writes = screen.writes.length;
    screen.write('after\n');
    expect(screen.writes.length).toBe(writes + 1);
  });

  it('shows the cursor again when the process exits in the middle', async () => {
    const { screen } = middleOfBuild();
    expect((await screen.cursor()).hidden).toBe(true);
    (process.listeners('exit')[0] as () => void)();
    expect((await screen.cursor()).hidden).toBe(false);
  });

  it('falls silent when the terminal goes away', () => {
    const { screen, build, reporter } = middleOfBuild();
    screen.emit('error', new Error('EIO'));
    const writes = screen.writes.length;
    void reporter.receive([build.cancel(), build.built()]);
    expect(screen.writes.length).toBe(writes);
  });
});
