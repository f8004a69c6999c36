// A worker thread that cancels a build when it is told to, with no help of the thread that began the build.
import { workerData } from 'node:worker_threads';
import { cancelByToken } from '../src/index.ts';

const { token, request, shared } = workerData as {
  token: string;
  request: Parameters<typeof cancelByToken>[1];
  /** 0 is set when it is ready, 1 to let it go, 2 to its answer: 1 no, 2 yes. */
  shared: Int32Array;
};

Atomics.store(shared, 0, 1);
Atomics.wait(shared, 1, 0);
Atomics.store(shared, 2, cancelByToken(token, request) ? 2 : 1);
