import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from './on-path.mjs';
import { nativeStamp } from './stamps.mjs';

const tools = {
  cmake: { name: 'cmake', apt: 'cmake', dnf: 'cmake', zypper: 'cmake', pacman: 'cmake' },
  compiler: { name: 'a C++ compiler', apt: 'g++', dnf: 'gcc-c++', zypper: 'gcc-c++', pacman: 'gcc' },
  make: { name: 'make', apt: 'make', dnf: 'make', zypper: 'make', pacman: 'make' },
  pip: {
    name: 'python3 with pip',
    apt: 'python3-pip',
    dnf: 'python3-pip',
    zypper: 'python3-pip',
    pacman: 'python-pip',
  },
};

const managers = [
  {
    name: 'apt',
    command: 'apt-get',
    asUser: 'sudo apt-get install -y',
    asRoot: 'apt-get update && apt-get install -y',
  },
  { name: 'dnf', command: 'dnf', asUser: 'sudo dnf install -y', asRoot: 'dnf install -y' },
  { name: 'zypper', command: 'zypper', asUser: 'sudo zypper install -y', asRoot: 'zypper install -y' },
  { name: 'pacman', command: 'pacman', asUser: 'sudo pacman -S --needed', asRoot: 'pacman -Sy --needed' },
];

/** What this machine lacks, of what is still to be done. */
export function missingTools({ cache }) {
  const toCompile = nativeStamp.isFresh() ? [] : missingCompileTools();
  const forTensorrt = isTensorrtCached(cache) || hasPip() ? [] : [tools.pip];
  return { toCompile, forTensorrt };
}

/** Such as: cmake and make are missing */
export function whatIsMissing(missing) {
  const names = missing.map((tool) => tool.name);
  return names.length === 1
    ? `${names[0]} is missing`
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are missing`;
}

/** One sentence that names what is missing and the command that installs it. */
export function installHint(missing) {
  const manager = managers.find(({ command }) => isOnPath(command));
  if (!manager)
    return `${whatIsMissing(missing)}; install with your system's package manager, then start again.`;
  const command = process.getuid() === 0 ? manager.asRoot : manager.asUser;
  const packages = missing.map((tool) => tool[manager.name]).join(' ');
  return `${whatIsMissing(missing)}; run "${command} ${packages}", then start again.`;
}

function missingCompileTools() {
  const missing = [];
  if (!isOnPath('cmake')) missing.push(tools.cmake);
  if (!process.env.CXX && !['c++', 'g++', 'clang++'].some(isOnPath)) missing.push(tools.compiler);
  if (!['make', 'ninja'].some(isOnPath)) missing.push(tools.make);
  return missing;
}

function isTensorrtCached(cache) {
  return (
    existsSync(join(cache, 'models/light_resnet50.onnx')) &&
    readdirSync(cache).some((name) => /^tensorrt-rtx-[\d.]+$/.test(name))
  );
}

function hasPip() {
  return spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0;
}

function isOnPath(command) {
  return findOnPath(command) !== undefined;
}
