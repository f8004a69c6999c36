import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a command, where PATH has it. */
export function findOnPath(command) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, command);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this one.
    }
  }
}
