import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runHere } from './in-process.ts';

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

describe('docs/cli.md', () => {
  it.each(['build', 'replay', 'run', 'watch', 'env'])('knows every option of %s', async (command) => {
    const { stdout } = await runHere(command, '--help');
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu)].map(([, option]) => option);
    expect(options.length).toBeGreaterThan(2);
    for (const option of options.filter((name) => name !== '--help')) {
      expect(page).toMatch(new RegExp(`\`(?:-\\w\`, \`)?${option}[ \`]`, 'u'));
    }
  });

  it('names no option that the command does not have', async () => {
    let all = '';
    for (const command of ['build', 'replay', 'run', 'watch', 'env']) {
      all += (await runHere(command, '--help')).stdout;
    }
    for (const [option] of page.matchAll(/--\w[\w-]*/gu)) {
      if (option !== '--help') expect(all).toContain(option);
    }
  });
});
