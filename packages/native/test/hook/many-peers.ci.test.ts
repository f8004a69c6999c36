import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { program, watching, wholeBuild } from './watching.ts';

/** Starts a Python script with words; answers its first line. It stays until the test's end. */
async function python(script: string, ...words: string[]): Promise<string> {
  const child = spawn('python3', ['-c', script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return text.trim();
}

// Each of 130 processes connects 77 times and counts where it is welcome; all stay.
const crowd = `
import os, select, socket, sys
counts, told = os.pipe()
for _ in range(130):
    if os.fork() == 0:
        sockets, heard = [], 0
        for _ in range(77):
            one = socket.socket(socket.AF_UNIX)
            try:
                one.connect(sys.argv[1])
                heard += len(one.recv(1))
            except OSError:
                pass
            sockets.append(one)
        os.write(told, bytes([heard]))
        select.select([], [], [])
print(sum(os.read(counts, 1)[0] for _ in range(130)), flush=True)
select.select([], [], [])
`;

// Leaves its connection to a child, which says nothing more.
const heir = `
import os, select, socket, sys
one = socket.socket(socket.AF_UNIX)
one.connect(sys.argv[1])
one.recv(1)
if os.fork() == 0:
    print('left', flush=True)
    select.select([], [], [])
`;

describe('many hostile processes', () => {
  test('have 1,000 connections of the 10,010 that they ask for, and a build that goes on ends right', async () => {
    const { path, builds, notices } = await watching();
    const goOn = await program(path, builds);
    expect(Number(await python(crowd, path))).toBe(999);
    expect(notices).toContain('more than 1000 processes were watched at once; the others are not watched');
    expect(await goOn()).toMatchObject(wholeBuild);
  });

  test('hold nobody up at the end by a connection of a process that is gone', async () => {
    const { path, close } = await watching();
    expect(await python(heir, path)).toBe('left');
    await close();
  });
});
