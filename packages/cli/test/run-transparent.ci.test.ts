import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileFixture } from './compile-fixture.ts';
import { startProgram } from './command.ts';
import { folderForTests, missing, testOrdinary, watched } from './transparency.ts';

const folder = folderForTests();
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const nodeProgram = `
  const { execSync } = require('child_process');
  const { Worker } = require('worker_threads');
  console.log(String(execSync('echo a child')), process.execArgv);
  const worker = new Worker('require("worker_threads").parentPort.postMessage("from a worker")', { eval: true });
  worker.on('message', (text) => { console.log(text); console.error('an error of Node'); process.exitCode = 6; });`;

const bashScript = `
  set -o pipefail
  count() { tr -d a | wc -c; }
  trap 'echo trapped >&2; exit 3' USR1
  printf 'banana\n' | count | cat -n
  false | true || echo "pipe \${PIPESTATUS[*]}"
  coproc cat; echo through >&"\${COPROC[1]}"; read -r line <&"\${COPROC[0]}"; echo "$line"
  exec -a renamed bash -c 'echo $0; kill -USR1 $PPID' &
  wait $!; kill -USR1 $$; echo never`;

const gitScript = `
  git init -q -b main; git config user.name A; git config user.email a@b.invalid
  echo text > file; git add file; git commit -m 'a first commit'; echo more >> file
  git -c color.ui=always -c core.pager=cat diff; git log --stat; git gc -q; git fsck`;

const limitedScript = `
  (ulimit -v 100000; python3 -c 'bytes(10 ** 9)' 2>&1 | tail -n 1)
  (ulimit -n 8; exec python3 -c 'import os; [os.dup(1) for _ in range(9)]' 2>&1 | tail -n 1)
  (ulimit -n 3; ls /; echo $?) 2>&1 | tail -n 1`;

const perlScript = `
  open(my $child, '-|', 'echo a child') or die; print <$child>; close $child;
  print STDERR "an error of Perl\n"; $| = 1; print join(',', map { $_ ** 2 } 1 .. 5), "\n"; die "died\n"`;

describe('with and without us', () => {
  const program = compileFixture(folder, 'ordinary-program', { words: ['-DSECCOMP'] });

  testOrdinary(folder, { name: 'ls', words: ['ls', '-l', '/usr', '/nowhere'], says: /^2\n/u });
  testOrdinary(folder, {
    name: 'Python with processes and threads',
    words: ['python3', fixture('ordinary.py'), 'a word', ''],
    says: /^9\nPython \['a word', ''\]/u,
  });
  testOrdinary(folder, {
    name: 'Node with a process and a worker',
    words: [process.execPath, '-e', nodeProgram],
    says: /^6\n.*from a worker/su,
  });
  testOrdinary(folder, {
    name: 'Java',
    impossible: missing('javac'),
    words: ['java', fixture('Ordinary.java'), 'word'],
    says: /^4\n.*Java word/su,
  });
  testOrdinary(folder, {
    name: 'a script of Bash with pipes, functions and traps',
    words: ['bash', '-c', bashScript],
    says: /^3\n.*trapped/su,
  });
  testOrdinary(folder, {
    name: 'Git',
    impossible: missing('git'),
    words: ['sh', '-ec', gitScript],
    env: {
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: '@0 +0000',
      GIT_COMMITTER_DATE: '@0 +0000',
    },
    says: 'a first commit',
  });
  testOrdinary(folder, {
    name: 'GCC, with a warning',
    words: [
      'gcc',
      '-Wall',
      '-S',
      '-O2',
      '-o',
      '-',
      file('warns.c', 'int main(void) { int unused; return 3; }\n'),
    ],
    says: 'unused variable',
  });
  testOrdinary(folder, {
    name: 'a program for which somebody else preloads a library',
    words: ['sh', '-c', `"${program}" greet; "${program}" greet`],
    env: {
      LD_PRELOAD: compileFixture(folder, 'own-preload', {
        words: ['-shared', '-fPIC', '-ldl'],
        output: 'own.so',
      }),
    },
    says: 'preloaded: hello',
  });
  testOrdinary(folder, { name: '100 children', words: [program, 'fork-many'], says: '350' });
  testOrdinary(folder, {
    name: 'a static program',
    words: [
      compileFixture(folder, 'ordinary-program', { words: ['-static'], output: 'static' }),
      'fork-many',
    ],
    says: '350',
  });
  const noMusl = missing('musl-gcc');
  testOrdinary(folder, {
    name: 'a program with musl',
    impossible: noMusl && `${noMusl}; Debian has it in musl-tools`,
    words: [
      noMusl === undefined
        ? compileFixture(folder, 'ordinary-program', { compiler: 'musl-gcc', output: 'musl' })
        : '',
      'greet',
    ],
    says: /^7\nhello/u,
  });
  testOrdinary(folder, {
    name: 'a program that may make neither sockets nor processes',
    words: [program, 'filtered', 'sort', '--unknown'],
    says: 'unrecognized option',
  });
  testOrdinary(folder, {
    name: 'a program that may only read and write',
    words: [program, 'strict'],
    says: 'strict',
  });
  testOrdinary(folder, {
    name: 'programs that may have few files and little memory',
    words: ['bash', '-c', limitedScript],
    says: /MemoryError.*Too many open files/su,
  });
  testOrdinary(folder, {
    name: 'a program that sees its limits',
    around: ['bash', '-c', 'ulimit -Sn 300; ulimit -Sc 0; "$@"; true', 'bash'],
    words: ['bash', '-c', 'ulimit -a; ulimit -Ha'],
    says: 'open files',
  });
  testOrdinary(folder, {
    name: 'a program with the rights of its owner',
    impossible: process.getuid?.() === 0 ? undefined : 'a program of another user takes root to make',
    words: [setUserId(), '-u'],
    says: '65534',
  });
  testOrdinary(folder, {
    name: 'a program that closes all its files',
    words: [program, 'close-all'],
    says: 'closed, then 3',
  });
  testOrdinary(folder, {
    name: 'Perl',
    impossible: missing('perl'),
    words: ['perl', '-e', perlScript],
    says: /^255\n.*died/su,
  });
  testOrdinary(folder, {
    name: 'AWK',
    words: ['awk', 'BEGIN { print 6 * 7 | "cat"; close("cat"); exit 2 }'],
    says: '42',
  });
  testOrdinary(folder, {
    name: 'Make, with a job that fails',
    words: ['make', '-f', file('fails.mk', 'all: a b\na:\n\t@echo $@\nb: a\n\tfalse\n')],
    says: /^2\na/u,
  });
  testOrdinary(folder, {
    name: 'a Make below a Make that lends it its jobs',
    around: ['sh', '-c', 'COMMAND="$*" make -s -j2 -f "$0"', file('outer.mk', 'all:\n\t+$(COMMAND)\n')],
    words: ['make', '-s', '-f', file('inner.mk', 'all: a b\na b:\n\t@echo same\n')],
    says: /^0\nsame/u,
  });
  testOrdinary(folder, {
    name: 'a program that reads much',
    around: ['sh', '-c', 'seq 300000 | "$@"', 'sh'],
    words: ['sha256sum'],
    says: / -\n$/u,
  });
  testOrdinary(folder, {
    name: 'a program whose reader leaves',
    around: ['bash', '-c', '"$@" | head -n 2; echo "${PIPESTATUS[0]}"', 'bash'],
    words: ['yes'],
    says: '141',
  });
  testOrdinary(folder, {
    name: 'a program that a signal ends',
    words: ['sh', '-c', 'kill -KILL $$'],
    says: /^137\n/u,
  });
});

/** The environment of a command, as JSON. */
const variables = async (command: readonly string[]) =>
  (
    await startProgram([...command, process.execPath, '-p', 'JSON.stringify(process.env)'], {
      env: { LD_PRELOAD: 'libm.so.6', EMPTY: '', 'WITH SPACE': 'a\nb' },
    }).ended
  ).stdout;

test('a command has our variables more in its environment, and no other change', async () => {
  const plain = JSON.parse(await variables([])) as Record<string, string>;
  const { LD_PRELOAD, TRTSCOPE_SOCKET, ...rest } = JSON.parse(await variables(watched)) as Record<
    string,
    string
  >;
  expect(LD_PRELOAD).toMatch(/^\/.*\/libtrtscope_hook\.so:libm\.so\.6$/u);
  expect(TRTSCOPE_SOCKET).toMatch(/^\//u);
  expect({ ...rest, LD_PRELOAD: 'libm.so.6' }).toEqual(plain);
});

test('a command that daemons leave has no zombies beside it', async () => {
  const script = `for at in {1..20}; do (true &); done
    zombies() { cat /proc/[0-9]*/stat 2>/dev/null | grep -c ") Z $PPID "; }
    until [ "$(zombies)" = 0 ]; do :; done; echo none`;
  const { stdout } = await startProgram([...watched, 'bash', '-c', script]).ended;
  expect(stdout).toBe('none\n');
});

function setUserId(): string {
  const path = join(folder, 'id');
  copyFileSync('/usr/bin/id', path);
  if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534);
  chmodSync(path, 0o4755);
  return path;
}
