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
      return prepareAndRun('for a real build', ['node', 'scripts/demo.ts', ...rest]);
    case 'test':
      return prepareAndRun('always', ['node', 'scripts/test.ts', ...rest]);
    case 'run':
      return prepareAndRun('always', rest);
    case 'prepare':
      if (rest.includes('--quiet')) beQuiet();
      console.log((await prepare('where possible')).node);
      return 0;
    case 'env':
      console.log(`export PATH='${(await prepare('where possible')).environment.PATH}'`);
      return 0;
    default:
      throw new Problem('bootstrap.mjs takes demo, test, prepare, env or run COMMAND.');
  }
}

async function prepareAndRun(whenToCompile, [command, ...args]) {
  const { environment } = await prepare(whenToCompile);
  return runInTerminal(command, args, { cwd: checkout, env: environment });
}

/** What is missing is told before minutes are spent on the rest. */
async function prepare(whenToCompile) {
  requireSupportedPlatform();
  const folders = chooseFolders();
  const { toCompile, forTensorrt } = missingTools(folders);
  const missing = [...toCompile, ...forTensorrt];
  const canCompile = toCompile.length === 0;
  if (!canCompile && whenToCompile === 'always') throw new Problem(installHint(missing));
  if (missing.length > 0) note(installHint(missing));
  const obstacle = missing.length > 0 ? whatIsMissing(missing) : noWheel();
  const compile = canCompile && (obstacle === undefined || whenToCompile !== 'for a real build');
  if (!isPrepared({ compile })) requireWritableCheckout();
  const { environment, node } = await bringToolchain(folders);
  await prepareCheckout({ environment, node, compile });
  if (obstacle !== undefined) environment.TRTSCOPE_NO_TENSORRT = obstacle;
  return { environment, node };
}

function noWheel() {
  return process.arch === 'x64' ? undefined : `PyPI has no TensorRT-RTX for ${process.arch}`;
}
