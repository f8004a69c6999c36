// The way in for `npm run demo`, `npm test`, `./trtscope` and `.ci/run`. It runs on whatever Node is there (18 and up), needs no
// package, and always brings the same Node and pnpm, whatever the machine has.
//
//   node scripts/bootstrap.mjs demo [OPTION…]     node scripts/bootstrap.mjs prepare [--quiet]
//   node scripts/bootstrap.mjs test [OPTION…]     node scripts/bootstrap.mjs run COMMAND [ARGUMENT…]
//   eval "$(node scripts/bootstrap.mjs env)"      puts them on the PATH of your shell

const major = Number(process.versions.node.split('.')[0]);
if (major < 18) {
  console.error(
    `trtscope: Node ${process.versions.node} is too old to start with; install Node 18 or newer.`,
  );
  process.exitCode = 1;
} else {
  // Not awaited at the top level, which an older Node could not even parse.
  void import('./bootstrap/main.mjs').then((bootstrap) => bootstrap.main(process.argv.slice(2)));
}
