import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../../../scripts/demo/otlp-receiver.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const recording = join(checkout, 'test/recordings/pp-ocrv4-det.jsonl');

// The lines cannot share one node_modules: each gets a folder of its own, outside the workspace.
const lines = {
  '2.x with api 1.9': { api: '1.9.1', sdk: '0.223.0', resources: '2.12.1' },
  '3.x with api 1.10': { api: '1.10.0', sdk: '0.301.0', resources: '3.1.1' },
};

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

describe.each(Object.entries(lines))('OpenTelemetry %s', (_, { api, sdk, resources }) => {
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
    const attempt = run(process.execPath, ['program.ts', recording, 'http://127.0.0.1:1'], { cwd: folder });
    await expect(attempt).rejects.toMatchObject({
      stderr: expect.stringContaining(
        'npm install @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources',
      ),
    });
  });

  test('a program type-checks, and its build arrives whole', async () => {
    await npmInstall(
      folder,
      `@opentelemetry/sdk-node@${sdk}`,
      `@opentelemetry/exporter-trace-otlp-http@${sdk}`,
      `@opentelemetry/resources@${resources}`,
    );
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(typeCheck));
    await run(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder });

    const receiver = await startOtlpReceiver();
    const { stdout, stderr } = await run(process.execPath, ['program.ts', recording, receiver.url], {
      cwd: folder,
    });
    await receiver.close();
    expect(stderr).toBe('');
    expect(receiver.spans).toHaveLength(13);
    expect(new Set(receiver.spans.map((span) => span.traceId))).toEqual(new Set([stdout.trim()]));
    expect(receiver.spans.flatMap((span) => span.events)).toHaveLength(694);
    expect(receiver.spans.filter((span) => span.droppedEvents > 0)).toEqual([]);
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
