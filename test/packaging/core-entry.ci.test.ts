import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const core = fileURLToPath(new URL('../../packages/core', import.meta.url));
const recording = fileURLToPath(new URL('../recordings/synthetic-convnet.jsonl', import.meta.url));
let dist: string;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'trtscope-core-'));
  execFileSync('pnpm', ['exec', 'tsdown', '--out-dir', dist, '--log-level', 'error'], { cwd: core });
});
afterAll(() => rmSync(dist, { recursive: true }));

/** The built root entry and every file that it imports, with all their imports. */
function reachable(): { code: string; imports: string[] } {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const visit = (file: string): void => {
    if (files.has(file)) return;
    // Without comments, whose examples import what their reader needs.
    const code = readFileSync(join(dist, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    files.set(file, code);
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) {
      imports.push(name);
      if (name.startsWith('.')) visit(name);
    }
  };
  visit('./index.mjs');
  return { code: [...files.values()].join('\n'), imports };
}

test('the built root entry of core imports nothing and names no global of Node', () => {
  const { code, imports } = reachable();
  expect(imports.filter((name) => !name.startsWith('./'))).toEqual([]);
  expect(
    code.match(/\b(?:process|Buffer|require|global|__dirname|__filename|setImmediate)\b(?=[.(])/g),
  ).toBeNull();
});

// It runs where there is nothing but ECMAScript and a handful of web interfaces.
const bareRun = `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { createContext, SourceTextModule } from 'node:vm';
  const [dist, recording] = process.argv.slice(1);
  const web = { performance, crypto, setTimeout, clearTimeout, setInterval, clearInterval };
  const context = createContext({ ...web, text: readFileSync(recording, 'utf8') });
  const load = (path) => new SourceTextModule(readFileSync(join(dist, path), 'utf8'), { context, identifier: path });
  const modules = new Map();
  const link = (path) => {
    if (!modules.has(path)) modules.set(path, load(path));
    return modules.get(path);
  };
  const main = new SourceTextModule(
    "import { decodeEvents, replaySource, startBuild } from './index.mjs';" +
      "const build = startBuild(replaySource(decodeEvents(text), { speed: 'max' }), { budget: { totalMs: 8e9 } });" +
      "let events = 0; for await (const event of build.events()) events += 1;" +
      "globalThis.answer = { events, ...(await build.result).counts };",
    { context },
  );
  await main.link(link);
  await main.evaluate();
  console.log(JSON.stringify(context.answer));
`;

test('the built root entry of core plays a recording without Node', () => {
  const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module'];
  const out = execFileSync(process.execPath, [...flags, '-e', bareRun, dist, recording], {
    encoding: 'utf8',
  });
  expect(JSON.parse(out)).toEqual({ events: 165, phases: 12, steps: 138 });
});
