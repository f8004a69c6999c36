import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineFacts } from '@trtscope/native';
import { afterAll, describe, expect, it } from 'vitest';
import { diagnose, diagnoseEndpoint } from '../src/commands/doctor.ts';
import { tensorrtVersion } from '../src/tensorrt-version.ts';
import { temporaryFolder } from './command.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** An empty file, with the folders above it. */
function file(path: string): string {
  const full = join(folder.path, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, '');
  return full;
}

const library = file('site/tensorrt_rtx_libs/libtensorrt_rtx.so.1');
const machine: MachineFacts = {
  platform: 'linux',
  arch: 'x64',
  node: '24.0.0',
  glibc: '2.36',
  gpus: [],
  cache: '/cache',
  builder: { path: '/builder', compiled: true },
  addon: { path: '/addon', compiled: false },
  tensorrt: {
    found: [{ library, parser: '/parser', edition: 'tensorrt_rtx', why: 'the cache' }],
    problems: ['/old.so is too old'],
    searched: [{ why: 'the system', folder: '/usr/lib' }],
  },
};

describe('trtscope doctor', () => {
  it('says that builds can run when builder and TensorRT are there, and what else was found', () => {
    const { lines, ready } = diagnose(machine);
    expect(ready).toBe(true);
    expect(lines).toContain(`ok      TensorRT  TensorRT-RTX (version unknown) from the cache: ${library}`);
    expect(lines).toContain('note    TensorRT  /old.so is too old');
    expect(lines.at(-1)).toBe('Builds can run here.');
  });

  it.each<readonly [string, Partial<MachineFacts>]>([
    ['the builder', { builder: { path: '/builder', compiled: false } }],
    ['TensorRT', { tensorrt: { found: [], problems: [], searched: [] } }],
  ])('says that they cannot without %s', (name, lack) => {
    const { lines, ready } = diagnose({ ...machine, ...lack });
    expect(ready).toBe(false);
    expect(lines.filter((line) => line.startsWith('missing'))).toEqual([
      expect.stringContaining(name.replace('the ', '')),
    ]);
  });
});

describe('trtscope doctor --otlp', () => {
  it('takes an endpoint for good that takes traces alone, such as a Jaeger', () => {
    const url = 'http://jaeger:4318/v1';
    const answer = 'HTTP 404 Not Found';
    const { lines, ready } = diagnoseEndpoint([
      { signal: 'traces', url: `${url}/traces`, state: 'taken' },
      { signal: 'metrics', url: `${url}/metrics`, state: 'absent', answer },
      { signal: 'logs', url: `${url}/logs`, state: 'absent', answer },
    ]);
    expect(ready).toBe(true);
    expect(lines).toContain(`note    metrics   ${url}/metrics takes no metrics: ${answer}`);
  });

  it.each(['absent', 'failed'] as const)('does not where traces are %s', (state) => {
    const answer = 'HTTP 404 Not Found';
    const { lines, ready } = diagnoseEndpoint([
      { signal: 'traces', url: 'http://x/v1/traces', state, answer },
    ]);
    expect(ready).toBe(false);
    expect(lines[0]).toMatch(/^missing traces/u);
  });
});

describe('tensorrtVersion', () => {
  it('reads the version from the name of the file', () => {
    expect(tensorrtVersion(file('lib/libnvinfer.so.10.16.0'))).toBe('10.16.0');
  });

  it('reads it from the Python package that brought the file', () => {
    mkdirSync(join(folder.path, 'site/tensorrt_rtx_cu13_libs-1.7.1.116.dist-info'));
    expect(tensorrtVersion(library)).toBe('1.7.1.116');
  });
});
