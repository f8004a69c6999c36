import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TrtscopeError } from '@trtscope/core';

export interface PipInstall {
  /** As a requirements file has it, hash and all. */
  readonly requirement: string;
  /** An empty folder of ours; the packages land in `files` in it. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (message: string) => void;
}

/** Installs one wheel, and nothing that it depends on, into a folder. Rejects with TENSORRT_MISSING, or with the signal's reason. */
export async function pipInstall({ requirement, folder, signal, onProgress }: PipInstall): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${requirement}\n`);
  signal?.throwIfAborted();
  const words =
    '-m pip install --no-deps --only-binary=:all: --no-compile --no-cache-dir --progress-bar=off --require-hashes';
  const pip = spawn('python3', [...words.split(' '), '--target', join(folder, 'files'), '-r', requirements], {
    env: { ...process.env, ...neutralSettings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal !== undefined && { signal }),
  });
  createInterface(pip.stdout).on('line', (line) => {
    onProgress(line.trim());
  });
  const complaints: string[] = [];
  createInterface(pip.stderr).on('line', (line) => complaints.push(line.trim()));
  const fault = await new Promise<NodeJS.ErrnoException | string | undefined>((resolve) => {
    let refused: Error | undefined;
    pip.on('error', (error) => {
      refused = error;
    });
    pip.on('close', (code) => {
      resolve(
        refused ??
          (code === 0
            ? undefined
            : complaints
                .filter((line) => line !== '')
                .slice(-3)
                .join(' ')),
      );
    });
  });
  signal?.throwIfAborted();
  if (fault !== undefined) {
    throw new TrtscopeError('TENSORRT_MISSING', wordsOf(fault), { cause: fault });
  }
}

// A user's own settings may forbid --target, or any install outside a virtual environment.
const neutralSettings = {
  PIP_USER: '0',
  PIP_REQUIRE_VIRTUALENV: '0',
  PIP_ROOT_USER_ACTION: 'ignore',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

function wordsOf(fault: NodeJS.ErrnoException | string): string {
  const install = 'install it with "apt-get install python3 python3-pip" and try again.';
  if (typeof fault !== 'string') {
    return fault.code === 'ENOENT'
      ? `python3 was not found; ${install}`
      : `python3 could not be run: ${fault.message}.`;
  }
  if (fault.includes('No module named pip')) {
    return `python3 has no pip; ${install}`;
  }
  return `pip could not install TensorRT-RTX (${fault}); check the network and pip's settings, and try again.`;
}
