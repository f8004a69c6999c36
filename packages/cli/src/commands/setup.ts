import type { Command } from 'commander';
import { exitCodes, signalExitCode } from '../exit-codes.ts';
import { complain } from '../messages.ts';
import { UsageError } from '../usage-error.ts';

const help = `
It needs python3 with pip, and touches nothing of the system's or your own Python.
TensorRT-RTX is NVIDIA's, under NVIDIA's licence. Builds find it there by themselves.`;

export function addSetupCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('setup')
    .summary('install TensorRT-RTX for builds to use')
    .description('Installs TensorRT-RTX from PyPI into the cache of trtscope, checked against a known hash.')
    .argument('[version]', 'default: the newest that trtscope knows')
    .addHelpText('after', help)
    .action(async (version: string | undefined) => {
      const { pinnedVersions, setupTensorrt } = await import('@trtscope/native');
      if (version !== undefined && !pinnedVersions.includes(version)) {
        throw new UsageError(
          `"${version}" is not a version that can be set up; choose one of ${pinnedVersions.join(', ')}.`,
        );
      }
      const controller = new AbortController();
      const stop = (signal: NodeJS.Signals) => controller.abort(signal);
      process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);
      try {
        const result = await setupTensorrt({
          ...(version !== undefined && { version }),
          signal: controller.signal,
          onProgress: complain,
        });
        complain(
          `TensorRT-RTX ${result.version} is ${result.installed ? 'installed' : 'there already'}: ${result.library}`,
        );
        done(exitCodes.built);
      } catch (error) {
        if (!controller.signal.aborted) {
          throw error;
        }
        done(signalExitCode(controller.signal.reason as string));
      }
    });
}
