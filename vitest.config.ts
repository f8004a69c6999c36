import { defineConfig } from 'vitest/config';

// Three runs: `unit` needs nothing; `real` needs the compiled native package, TensorRT-RTX and the demo model;
// `ci` needs more of them, real servers and NVIDIA's Python module, and runs in .ci/run only.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/*.real.test.ts', '**/*.ci.test.ts', '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'real',
          include: ['packages/*/test/**/*.real.test.ts', 'test/**/*.real.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'ci',
          include: ['packages/*/test/**/*.ci.test.ts', 'test/**/*.ci.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
