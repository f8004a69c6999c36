import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { isRunning } from './running.ts';
import { simulate } from './simulator.ts';

const program = `
const { startEngineBuild } = await import(${JSON.stringify(new URL('../src/engine-build.ts', import.meta.url))});
startEngineBuild(JSON.parse(process.argv[1])).attach({ name: 'test', receive: (events) => {
  for (const { type, pid, name } of events) {
    if (type === 'build.started') globalThis.builder = pid;
    if (name === 'Measuring') console.log(builder);
  }
} });`;

/** Kills a program and its builder amid a build, so that nobody can tidy up; answers the name of the file that is left. */
export async function killedBuild(folder: string): Promise<string> {
  const before = new Set(readdirSync(folder));
  const options = simulate({ folder, script: ['build', 'phase 1 Measuring', 'hang'] });
  const args = ['--input-type=module', '-e', program, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const builder = Number(line);
  child.kill('SIGSTOP');
  process.kill(builder, 'SIGKILL');
  child.kill('SIGKILL');
  await vi.waitUntil(() => !isRunning(builder));
  return readdirSync(folder).find((name) => name.startsWith('.') && !before.has(name)) ?? 'nothing';
}
