import { isPrepared, prepareCheckout, requireWritableCheckout } from './checkout.mjs';
import { checkout, chooseFolders } from './folders.mjs';
import { Problem, requireSupportedPlatform } from './problem.mjs';
import { beQuiet, note } from './progress.mjs';
import { runInTerminal } from './run.mjs';
import { bringToolchain } from './toolchain.mjs';
import { installHint, missingTools, whatIsMissing } from './tools.mjs';

/** Prepares the checkout, then runs what was asked for. */
export async function main([command, ...rest]) {
  try {
    process.exitCode = await perform(command, rest);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(error.details);
    console.error(`trtscope: ${error.message}`);
    process.exitCode = 1;
  }
}

async function perform(command, rest) {
  switch (command) {
    case 'demo':
      return prepareAndRun(['node', 'scripts/demo.ts', ...rest]);
    case 'test':
      return prepareAndRun(['node', 'scripts/test.ts', ...rest], { mustCompile: true });
    case 'run':
      return prepareAndRun(rest, { mustCompile: true });
    case 'prepare':
      if (rest.includes('--quiet')) beQuiet();
      console.log((await prepare({ mustCompile: false })).node);
      return 0;
    case 'env':
      console.log(`export PATH='${(await prepare({ mustCompile: false })).environment.PATH}'`);
      return 0;
    default:
      throw new Problem('bootstrap.mjs takes demo, test, prepare, env or run COMMAND.');
  }
}

async function prepareAndRun([command, ...args], { mustCompile = false } = {}) {
  const { environment } = await prepare({ mustCompile });
  return runInTerminal(command, args, { cwd: checkout, env: environment });
}

/** What is missing is told before minutes are spent on the rest. */
async function prepare({ mustCompile }) {
  requireSupportedPlatform();
  const folders = chooseFolders();
  const { toCompile, forTensorrt } = missingTools(folders);
  const missing = [...toCompile, ...forTensorrt];
  if (mustCompile && toCompile.length > 0) throw new Problem(installHint(missing));
  if (missing.length > 0) note(installHint(missing));
  const compile = toCompile.length === 0;
  if (!isPrepared({ compile })) requireWritableCheckout();
  const { environment, node } = await bringToolchain(folders);
  await prepareCheckout({ environment, node, compile });
  if (missing.length > 0) environment.TRTSCOPE_NO_TENSORRT = whatIsMissing(missing);
  return { environment, node };
}
