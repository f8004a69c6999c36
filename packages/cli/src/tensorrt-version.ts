import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The version of a TensorRT library by its file name or by the Python package that brought it; nothing is loaded. */
export function tensorrtVersion(library: string): string | undefined {
  const file = realpathSync(library);
  const inName = /\.so\.(\d+\.\d+[\d.]*)$/u.exec(basename(file))?.[1];
  return inName ?? packageVersion(dirname(dirname(file)));
}

function packageVersion(sitePackages: string): string | undefined {
  const names = readdirSync(sitePackages);
  const versions = names.map((name) => /^tensorrt\w*_libs-([\d.]+)\.dist-info$/u.exec(name)?.[1]);
  return versions.find((found) => found !== undefined);
}
