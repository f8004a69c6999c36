// NVIDIA's own Python module and tools of it, for tests that compare with them.
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { setupTensorrt } from '../packages/native/src/setup.ts';

const version = '1.7.1.116';

export interface NvidiaPython {
  /** PYTHONPATH for python3. */
  readonly pythonPath: string;
  /** NVIDIA's Polygraphy, where it was asked for. */
  readonly polygraphy: string;
}

/** Installs the module into an empty folder, for the library that is in the cache; Polygraphy too on wish. */
export async function installNvidiaPython(
  folder: string,
  { polygraphy = false }: { readonly polygraphy?: boolean } = {},
): Promise<NvidiaPython> {
  const { library } = await setupTensorrt({ version });
  const packages = [
    `tensorrt-rtx-cu13-bindings==${version}`,
    // What Polygraphy imports is published as a source distribution of one Python file.
    ...(polygraphy
      ? [
          'polygraphy==0.53.6',
          'numpy==2.4.6',
          '--no-binary=tensorrt-rtx-cu13',
          `tensorrt-rtx-cu13==${version}`,
        ]
      : []),
  ];
  const words = `-m pip install -q --no-deps --only-binary=:all: --target ${folder}`.split(' ');
  const env = { ...process.env, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' };
  execFileSync('python3', [...words, ...packages], { env });
  return {
    // The module finds TensorRT's library through the package beside which setup put it.
    pythonPath: `${folder}:${dirname(dirname(library))}`,
    polygraphy: `${folder}/bin/polygraphy`,
  };
}
