import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSpans } from '../../../../scripts/demo/otlp-spans.ts';
import { startOtlpServer } from '../otlp-server.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const recording = join(checkout, 'test/recordings/pp-ocrv4-det.jsonl');

// The lines cannot share one node_modules: each gets a folder of its own, outside the workspace.
const lines = {
  '2.x with api 1.9': { api: '1.9.1', sdk: '0.223.0' },
  '3.x with api 1.10': { api: '1.10.0', sdk: '0.301.0' },
};

// Package managers name this workspace's packages in it, which a program of somebody else's does not see.
const { NODE_PATH: _workspace, ...env } = process.env;

let packed: string;

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'trtscope-packed-'));
  for (const name of ['core', 'otel']) {
    const cwd = join(checkout, 'packages', name);
    await run('pnpm', ['run', 'build'], { cwd });
    await run('pnpm', ['pack', '--pack-destination', packed], { cwd });
  }
});

afterAll(() => rm(packed, { recursive: true, force: true }));

describe.each(Object.entries(lines))('OpenTelemetry %s', (_, { api, sdk }) => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trtscope-line-'));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await copyFile(new URL('program.ts', import.meta.url), join(folder, 'program.ts'));
    const tarballs = (await readdir(packed)).map((name) => join(packed, name));
    await npmInstall(folder, ...tarballs, `@opentelemetry/api@${api}`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('without the SDK’s packages one sentence says what to install', async () => {
    const attempt = run(process.execPath, ['program.ts', recording, 'http://127.0.0.1:1'], {
      cwd: folder,
      env,
    });
    await expect(attempt).rejects.toMatchObject({
      stderr: expect.stringContaining('npm install @opentelemetry/sdk-node'),
    });
  });

  test('a program type-checks, and its build arrives whole: trace, metrics and logs', async () => {
    await npmInstall(folder, `@opentelemetry/sdk-node@${sdk}`);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(typeCheck));
    await run(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder });

    const server = await startOtlpServer();
    const { stdout, stderr } = await run(process.execPath, ['program.ts', recording, server.url], {
      cwd: folder,
      env,
    });
    await server.close();
    expect(stderr).toBe('');
    const spans = server.bodies('/v1/traces').flatMap((body) => readSpans(JSON.parse(body)));
    expect(spans).toHaveLength(13);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([stdout.trim()]));
    expect(spans.flatMap((span) => span.events)).toHaveLength(694);
    expect(spans.filter((span) => span.droppedEvents > 0)).toEqual([]);
    expect(server.bodies('/v1/metrics').join('')).toContain('tensorrt.build.duration');
    const logs = server.bodies('/v1/logs').join('');
    expect(logs).toContain('tensorrt.build.finished');
    expect(logs).toContain(stdout.trim());
  });
});

const typeCheck = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(checkout, 'node_modules/@types')],
    noEmit: true,
  },
  files: ['program.ts'],
};

async function npmInstall(cwd: string, ...packages: string[]): Promise<void> {
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd });
}
