import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnv, mainPath, recordingPath, temporaryFolder } from './command.ts';

const canMount =
  spawnSync('/usr/bin/unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!canMount) console.log('skipped: a mount namespace of its own needs root');

test.skipIf(!canMount)(
  'a result and a recording on a full disk stay as they were, and the command says so',
  () => {
    const folder = temporaryFolder();
    try {
      const full = `
      mount -t tmpfs -o size=12k tmpfs "$0"
      for name in m.json m.jsonl full; do printf old > "$0/$name"; done
      "$@" 2>&1 || printf 'exit code %s\\n' $?
      cat "$0/m.json" "$0/m.jsonl"; ls -A "$0"`;
      const command = [process.execPath, mainPath, 'replay', recordingPath('basic-pitch'), '--speed', 'max'];
      const files = ['--result', join(folder.path, 'm.json'), '--record', join(folder.path, 'm.jsonl')];
      const args = ['--mount', 'sh', '-ec', full, folder.path, ...command, ...files];
      const output = execFileSync('/usr/bin/unshare', args, { encoding: 'utf8', env: cleanEnv() });
      expect(output).toContain(`m.json" could not be written: ENOSPC: no space left on device, write.`);
      expect(output).toContain(
        'm.jsonl cannot be written: the disk is full; free some space or record elsewhere.',
      );
      expect(output).toMatch(/oldoldfull\nm\.json\nm\.jsonl\n$/);
    } finally {
      folder.remove();
    }
  },
);
