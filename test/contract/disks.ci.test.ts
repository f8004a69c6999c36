import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchRealModels, modelPath } from './models.ts';
import { runChildBuild } from './run-child-build.ts';

const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!canMount) console.log('skipped: a mount namespace of its own needs root');

describe.skipIf(!canMount).each(['process', 'thread'] as const)(
  'a build in a %s whose output lies',
  (isolation) => {
    let folder: string;
    let output: string;
    const model = modelPath('light_resnet50.onnx');

    beforeAll(fetchRealModels);
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'trtscope-disk-'));
      output = join(folder, 'm.engine');
    });
    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    test('on a disk that fills up fails, says so, and leaves the old engine whole', async () => {
      const mount = `mount -t tmpfs -o size=512k tmpfs ${folder}; echo old > ${output}`;
      const report = await runChildBuild({ model, output, isolation }, mount);
      expect(report.result).toMatchObject({
        outcome: 'failed',
        error: { code: 'WRITE_FAILED', phasePath: ['write'] },
      });
      expect(report.result?.outcome === 'failed' && report.result.error.message).toMatch(
        /m\.engine.*No space left on device/,
      );
      expect(report.left).toEqual(['m.engine']);
    });

    test('on a read-only mount is refused, though root may write anywhere', async () => {
      const report = await runChildBuild(
        { model, output, isolation },
        `mount -t tmpfs -o ro tmpfs ${folder}`,
      );
      expect(report.refusal?.code).toBe('OUTPUT_UNWRITABLE');
      expect(report.refusal?.message).toContain('lies on a read-only file system; choose another folder.');
      expect(report.left).toEqual([]);
    });
  },
);
