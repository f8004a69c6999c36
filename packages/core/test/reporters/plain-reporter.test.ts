import { describe, expect, it } from 'vitest';
import { encodeEvents, replaySource, startBuild } from '../../src/index.ts';
import { plainReporter } from '../../src/reporters/index.ts';
import type { ReporterOptions } from '../../src/reporters/index.ts';
import type { BuildEvent } from '../../src/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { Log } from './log.ts';
import { ScriptedBuild } from './scripted-build.ts';

function scene(options: ReporterOptions = {}) {
  const clock = new FakeClock();
  const log = new Log();
  const build = new ScriptedBuild(clock);
  const reporter = plainReporter(build, { stream: log, env: {}, clock, ...options });
  return { clock, log, build, tell: (...events: BuildEvent[]) => void reporter.receive(events), reporter };
}

describe('plainReporter', () => {
  it('has a line for roots of TensorRT and long phases, for the cancel and for the outcome', () => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin(), build.start('parse', { own: true }));
    clock.advance(120);
    tell(build.finish('parse'), build.start('Building engine', { steps: 6 }));
    clock.advance(80);
    tell(build.start('Optimizing graph', { steps: 30, parent: 'Building engine' }));
    clock.advance(200);
    tell(
      build.finish('Optimizing graph', 30),
      build.start('Timing tactics', { steps: 400, parent: 'Building engine' }),
    );
    tell(build.step('Timing tactics', 123));
    clock.advance(5000);
    tell(build.finish('Timing tactics', 400), build.cancel());
    clock.advance(8);
    tell(build.finish('Building engine', 5), build.say({ type: 'build.finished', outcome: 'cancelled' }));
    expect(log.text).toBe(`\
trtscope: [0 ms] resnet50.onnx -> resnet50.engine
trtscope: [0 ms] TensorRT for RTX 1.7.1
trtscope: [120 ms] Building engine started, 6 steps
trtscope: [1.4 s] Timing tactics under way, 123/400 steps
trtscope: [5.4 s] Timing tactics finished in 5.0 s, 400/400 steps
trtscope: [5.4 s] cancelling (os-signal: Ctrl-C) in Building engine
trtscope: [5.4 s] Building engine finished in 5.3 s, 5/6 steps
trtscope: cancelled after 5.4 s by os-signal: Ctrl-C, in Building engine; ended 8 ms after the request
`);
  });

  it('begins each line with the label that tells the build from others', () => {
    const { log, build, tell } = scene({ label: '2' });
    tell(...build.begin(), build.say({ type: 'build.finished', outcome: 'built' }));
    for (const line of log.text.trim().split('\n')) expect(line).toMatch(/^trtscope 2: /u);
  });

  it('tells the whole report of a cancel in its last line', () => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin(), build.start('Building engine', { steps: 6 }), build.step('Building engine', 2));
    tell(build.cancel({ source: 'budget', message: 'the budget of 5 min is spent' }));
    clock.advance(20);
    tell(build.cancel(), build.say({ type: 'cancel.escalated', to: 'terminate' }));
    clock.advance(30);
    tell(
      build.say({ type: 'cancel.acknowledged', by: 'exit' }),
      build.say({
        type: 'build.finished',
        outcome: 'cancelled',
        cleanup: { temporariesRemoved: ['.a.trtscope-tmp', '.b.trtscope-tmp'], timingCacheSaved: false },
      }),
    );
    expect(log.text.split('\n').slice(3)).toEqual([
      'trtscope: [0 ms] cancelling (budget: the budget of 5 min is spent) in Building engine',
      'trtscope: [20 ms] asked again to cancel (os-signal: Ctrl-C)',
      'trtscope: [20 ms] terminating the build',
      'trtscope: cancelled after 50 ms by budget: the budget of 5 min is spent, in Building engine after step 1; ' +
        'terminated, its process was gone after 50 ms, ended 50 ms after the request, ' +
        'removed 2 temporary files, timing cache not saved, asked once more',
      '',
    ]);
  });

  it.each([
    [
      { by: 'step', phase: 1, step: 2 } as const,
      'TensorRT answered at step 2 of Building engine after 7 ms, ended',
    ],
    [{ by: 'between' } as const, 'stopped between two phases after 7 ms, ended'],
  ])('tells what answered: %j', (answer, words) => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin(), build.start('Building engine'), build.cancel());
    tell(build.cancel({ message: 'b' }), build.cancel({ message: 'c' }));
    clock.advance(7);
    tell(build.say({ type: 'cancel.acknowledged', ...answer }));
    tell(build.say({ type: 'build.finished', outcome: 'cancelled' }));
    expect(log.text).toContain(`; ${words} 7 ms after the request, asked 2 times more\n`);
  });

  it('says at least every 30 seconds how the build stands, also through silence', () => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin(), build.start('Building engine', { steps: 6 }), build.step('Building engine', 2));
    tell(build.start('Determining refit engines', { steps: 1, parent: 'Building engine' }));
    clock.advance(60_000);
    expect(log.text.split('\n').slice(3)).toEqual([
      'trtscope: [1.0 s] Determining refit engines under way, 0/1 step',
      'trtscope: [26 s] 33%, no signal for 26 s in Determining refit engines',
      'trtscope: [51 s] 33%, no signal for 51 s in Determining refit engines',
      '',
    ]);
  });

  it('tells how far a phase is when TensorRT is not silent', () => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin(), build.start('Building engine', { steps: 90 }));
    for (let done = 1; done <= 40; done += 1) {
      clock.advance(1000);
      tell(build.step('Building engine', done));
    }
    expect(log.text.split('\n').slice(3)).toEqual(['trtscope: [25 s] 26%, Building engine 24/90', '']);
  });

  it('writes at most ten lines a second of phases and log, and says how many it left out', () => {
    const { clock, log, build, tell } = scene();
    tell(...build.begin());
    for (let at = 0; at < 1000; at += 1) {
      tell(build.say({ type: 'log', severity: 'warning', origin: 'tensorrt', message: `warning ${at}` }));
      clock.advance(2);
    }
    clock.advance(1000);
    tell(build.say({ type: 'log', severity: 'error', origin: 'tensorrt', message: 'the error' }));
    const lines = log.text.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(30);
    expect(lines.at(-2)).toMatch(/^trtscope: \d+ lines left out$/);
    expect(lines.at(-1)).toBe('trtscope: [3.0 s] error: the error');
  });

  it('shows the whole log when it is verbose', () => {
    const { log, build, tell } = scene({ verbose: true });
    for (let at = 0; at < 100; at += 1) {
      tell(build.say({ type: 'log', severity: 'verbose', origin: 'tensorrt', message: `line ${at}` }));
    }
    expect(log.text.split('\n')).toHaveLength(101);
  });

  it('warns when a budget runs out', () => {
    const { log, build, tell } = scene();
    tell(build.say({ type: 'budget.warning', budget: 'total', limitNs: 300e9, usedNs: 240e9 }));
    expect(log.text).toBe('trtscope: [0 ms] warning: 80% of the total budget of 5m 00s is used\n');
  });

  it('ends with the error of a failed build, on one line whatever it contains', () => {
    const { log, build, tell } = scene();
    const message = 'first\nsecond \u001b[31mred';
    tell(
      build.say({
        type: 'build.finished',
        outcome: 'failed',
        error: { code: 'PARSE_FAILED', message, phasePath: ['parse'] },
      }),
    );
    expect(log.text).toBe('trtscope: failed after 0 ms: first second \\x1b[31mred (in parse)\n');
  });

  it('never writes an escape code, not even in a terminal or with FORCE_COLOR', () => {
    const log = Object.assign(new Log(), { isTTY: true });
    const { clock, build, tell } = scene({ stream: log, env: { FORCE_COLOR: '1' } });
    tell(...build.begin(), build.start('Building engine', { steps: 6 }));
    clock.advance(60_000);
    tell(build.built());
    expect(log.text).not.toContain('\u001b');
  });

  it('stops its timer at the end, and after a detachment', async () => {
    for (const last of [true, false]) {
      const { clock, build, tell, reporter, log } = scene();
      tell(...build.begin(), ...(last ? [build.built()] : []));
      await reporter.close?.();
      expect(clock.waiting).toBe(0);
      expect(log.eventNames()).toEqual([]);
    }
  });

  it('falls silent when its reader leaves', () => {
    const { log, build, tell } = scene();
    log.emit('error', new Error('EPIPE'));
    tell(...build.begin(), build.built());
    expect(log.text).toBe('');
  });

  it('writes the same of a recording however fast it is played', async () => {
    const { clock, log, build, tell } = scene();
    const events: BuildEvent[] = [];
    const both = (...some: BuildEvent[]) => {
      tell(...some);
      events.push(...some);
    };
    both(...build.begin(), build.start('Building engine', { steps: 6 }));
    clock.advance(100_000);
    both(build.finish('Building engine', 5), build.built());
    const replayed = new Log();
    const replay = startBuild(replaySource(events, { speed: 'max' }));
    const { closed } = replay.attach(plainReporter(replay, { stream: replayed, env: {} }));
    await closed;
    expect(encodeEvents(events)).toContain('build.finished');
    expect(replayed.text).toBe(log.text);
  });
});
