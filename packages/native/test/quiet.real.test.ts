import { expect, test } from 'vitest';
import { startEngineBuild } from '../src/engine-build.ts';
import { record } from './recorded-build.ts';
import { simulate } from './simulator.ts';

const isolations = ['process', 'thread'] as const;

test('a silence is told after three seconds, with whether the process works', async () => {
  const script = ['build', 'phase 1 Building engine', 'pause 3200'];
  const recorded = isolations.map((isolation) =>
    record(startEngineBuild({ ...simulate({ script }), isolation })),
  );
  for (const { events } of await Promise.all(recorded)) {
    const silences = events.filter((event) => event.type === 'quiet');
    const phase = events.find((event) => event.type === 'phase.started' && event.name === 'Building engine');
    expect(silences).toHaveLength(1);
    expect(silences[0]).toMatchObject({
      alive: true,
      phase: phase?.type === 'phase.started' ? phase.phase : 0,
      cpu: expect.any(Number) as unknown,
    });
    expect(silences[0]?.forNs).toBeGreaterThanOrEqual(3e9);
    expect(silences[0]?.cpu).toBeLessThan(0.5);
  }
});
