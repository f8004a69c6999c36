import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordingPath } from '../recordings.ts';

const script = `
  import { readdirSync } from 'node:fs';
  import { replaySource, startBuild } from '@trtscope/core';
  import { readRecording, recordTo } from '@trtscope/core/recording';
  const [folder, recording] = process.argv.slice(1);
  const build = startBuild(replaySource(readRecording(recording), { speed: 'max' }));
  const { written, error } = await recordTo(build, folder + '/build.jsonl');
  const { outcome } = await build.result;
  console.log(JSON.stringify({ written, code: error?.code, message: error?.message, outcome, files: readdirSync(folder) }));
`;

test('a full disk ends the recording with a sentence, not the build, and leaves no file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trtscope-full-'));
  try {
    const mounted = 'mount -t tmpfs -o size=32k none "$1" && exec "$2" --input-type=module -e "$3" "$1" "$4"';
    const out = execFileSync(
      '/usr/bin/unshare',
      ['--mount', 'sh', '-c', mounted, 'sh', folder, process.execPath, script, recordingPath('basic-pitch')],
      { encoding: 'utf8', cwd: new URL('../..', import.meta.url).pathname },
    );
    expect(JSON.parse(out)).toEqual({
      written: false,
      code: 'WRITE_FAILED',
      message: `The recording ${folder}/build.jsonl cannot be written: the disk is full; free some space or record elsewhere.`,
      outcome: 'built',
      files: [],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
