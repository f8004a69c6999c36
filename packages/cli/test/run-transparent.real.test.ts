import { describe } from 'vitest';
import { compileFixture } from './compile-fixture.ts';
import { folderForTests, testOrdinary } from './transparency.ts';

// The rest is in run-transparent.ci.test.ts.
describe('with and without us', () => {
  const folder = folderForTests();
  const program = compileFixture(folder, 'ordinary-program');
  const library = compileFixture(folder, 'lookups', {
    words: ['-shared', '-fPIC', '-DLIBRARY'],
    output: 'liblookups.so',
  });
  const lookups = compileFixture(folder, 'lookups', { words: ['-rdynamic', '-ldl'] });
  testOrdinary(folder, { name: 'a program that says hello', words: [program, 'greet'], says: /^7\nhello/u });
  testOrdinary(folder, {
    name: 'a program that looks functions up in every way',
    words: [lookups, library],
    says: /RTLD_NEXT puts: libc\.so\.6$[^]*RTLD_DEFAULT librarys: liblookups\.so$/mu,
  });
  testOrdinary(folder, {
    name: 'a shell with pipes and processes at once',
    words: ['bash', '-c', 'seq 2000 | tee >(wc -l >&2) | sort -r | head -n 2; (exit 5) & wait $!'],
    says: /^5\n/u,
  });
  testOrdinary(folder, {
    name: 'a program that a signal ends',
    words: ['sh', '-c', 'kill -SEGV $$'],
    says: /^139\n/u,
  });
  testOrdinary(folder, {
    name: 'a program that gets files, also with gaps',
    around: ['bash', '-c', 'echo third >3; echo twelfth >12; "$@" 3<3 12<12 9>9; cat 9', 'bash'],
    words: ['bash', '-c', 'cat <&3 <&12; cat <&3; echo ninth >&9'],
    says: 'ninth',
  });
});
