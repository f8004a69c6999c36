import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setupTensorrt } from '../src/setup.ts';
import { fakeLibraries, rtxNames } from './fake-tensorrt.ts';
import { temporaryFolder } from './temporary-folder.ts';

let cache: string;
let bin: string;

// A python3 that does what this script says, with `target` and `requirements` set.
function fakePython(script: string): void {
  const python = join(bin, 'python3');
  writeFileSync(
    python,
    `#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --target) target=$2;; -r) requirements=$2;; esac; shift; done\n${script}\n`,
  );
  chmodSync(python, 0o755);
}

function installing(): string {
  const wheel = fakeLibraries(join(temporaryFolder(), 'tensorrt_rtx_libs'), rtxNames);
  return `echo Collecting; mkdir "$target" && cp -r ${wheel} "$target" && cp "$requirements" "$target"`;
}

describe('setupTensorrt', () => {
  beforeEach(() => {
    cache = join(temporaryFolder(), 'cache');
    bin = temporaryFolder();
    vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
    return () => vi.unstubAllEnvs();
  });

  test('installs the newest version with its pinned hash, tells of it, and leaves no temporary', async () => {
    fakePython(`${installing()}; env > ${bin}/env`);
    vi.stubEnv('PIP_USER', '1');
    const told: string[] = [];
    const result = await setupTensorrt({ cache, onProgress: (message) => told.push(message) });
    const folder = join(cache, 'tensorrt-rtx-1.7.1.116');
    expect(result).toEqual({
      version: '1.7.1.116',
      installed: true,
      edition: 'tensorrt_rtx',
      library: join(folder, 'tensorrt_rtx_libs/libtensorrt_rtx.so.1'),
      parser: join(folder, 'tensorrt_rtx_libs/libtensorrt_onnxparser_rtx.so.1'),
    });
    expect(told).toEqual([`Installing TensorRT-RTX 1.7.1.116 with pip into ${folder}`, 'Collecting']);
    expect(readFileSync(join(folder, 'requirements.txt'), 'utf8')).toMatch(
      /^tensorrt-rtx-cu13-libs==1\.7\.1\.116 --hash=sha256:[0-9a-f]{64}\n$/,
    );
    expect(readFileSync(join(bin, 'env'), 'utf8')).toMatch(/^PIP_USER=0$/m);
    expect(readdirSync(cache)).toEqual(['tensorrt-rtx-1.7.1.116']);
  });

  test('what is there already is taken as it is, without python3', async () => {
    fakePython(installing());
    await setupTensorrt({ cache, version: '1.4.0.76' });
    fakePython('exit 1');
    expect(await setupTensorrt({ cache, version: '1.4.0.76' })).toMatchObject({ installed: false });
  });

  test('two at once do not disturb each other', async () => {
    fakePython(installing());
    const results = await Promise.all([setupTensorrt({ cache }), setupTensorrt({ cache })]);
    expect(results[0]?.library).toBe(results[1]?.library);
    expect(readdirSync(cache)).toEqual(['tensorrt-rtx-1.7.1.116']);
  });

  test('a version that is not pinned is refused', async () => {
    await expect(setupTensorrt({ cache, version: '1.3.0' })).rejects.toThrow(RangeError);
  });

  test("a failure is told in pip's last words, and leaves nothing", async () => {
    fakePython('echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; mkdir "$target"; exit 1');
    const failure = setupTensorrt({ cache });
    await expect(failure).rejects.toMatchObject({ code: 'TENSORRT_MISSING' });
    await expect(failure).rejects.toThrow('DO NOT MATCH THE HASHES');
    expect(readdirSync(cache)).toEqual([]);
  });

  test('a missing python3 or pip is one sentence with the command that installs it', async () => {
    vi.stubEnv('PATH', bin);
    await expect(setupTensorrt({ cache })).rejects.toThrow(
      'python3 was not found; install it with "apt-get install python3 python3-pip" and try again.',
    );
    fakePython('echo "/usr/bin/python3: No module named pip" >&2; exit 1');
    await expect(setupTensorrt({ cache })).rejects.toThrow('python3 has no pip; install it with "apt-get');
  });

  test('an abort ends pip, leaves nothing and rejects with its reason', async () => {
    fakePython('echo waiting; exec sleep 60');
    const abort = new AbortController();
    const onProgress = (message: string) => {
      if (message === 'waiting') abort.abort(new Error('enough'));
    };
    await expect(setupTensorrt({ cache, signal: abort.signal, onProgress })).rejects.toThrow('enough');
    expect(readdirSync(cache)).toEqual([]);
  });

  test('what an interrupted run left an hour ago is swept, what is newer is not', async () => {
    fakePython(installing());
    const [old, recent] = ['tensorrt-rtx-1.7.1.116.tmp-a', 'tensorrt-rtx-1.7.1.116.tmp-b'].map((name) =>
      join(cache, name),
    );
    for (const folder of [old, recent]) mkdirSync(folder as string, { recursive: true });
    utimesSync(old as string, 0, Date.now() / 1000 - 3601);
    await setupTensorrt({ cache });
    expect([old, recent].map((folder) => existsSync(folder as string))).toEqual([false, true]);
  });
});
