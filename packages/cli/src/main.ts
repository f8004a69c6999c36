#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';

// A reader that leaves (`| head`) is no fault of ours.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2));
// All that matters is done. A write that nobody reads must not keep the process from leaving.
setTimeout(() => process.exit(), 500).unref();
