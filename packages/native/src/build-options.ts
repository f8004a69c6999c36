import type { LogSeverity } from '@trtscope/core';

/** Dimensions by input name, such as `{ image: [1, 3, 224, 224] }`. {@link parseShapes} reads them as trtexec writes them. */
export type Shapes = Readonly<Record<string, readonly number[]>>;

/**
 * The range of shapes that one optimization profile covers. An input that only some of the three name gets the
 * rest from them: `optShapes` stands in for a missing `minShapes` or `maxShapes`, `maxShapes` for a missing `optShapes`.
 */
export interface ShapeProfile {
  readonly minShapes?: Shapes;
  /** The shapes that tactics are chosen for. */
  readonly optShapes?: Shapes;
  readonly maxShapes?: Shapes;
  /** All three at once, for inputs whose shape never changes. */
  readonly shapes?: Shapes;
}

/** Limits of TensorRT's memory pools, in bytes. */
export interface MemoryPools {
  /** Scratch memory on the GPU. Default: all of it. */
  readonly workspace?: number;
  readonly dlaSRAM?: number;
  readonly dlaLocalDRAM?: number;
  readonly dlaGlobalDRAM?: number;
  readonly tacticDRAM?: number;
  readonly tacticSharedMem?: number;
}

/** Where TensorRT runs: a process of its own (default), or a thread of this one. */
export type Isolation = 'process' | 'thread';

/** What to build, and how. Options that trtexec has too are named as there. */
export interface EngineBuildOptions extends ShapeProfile {
  /** The ONNX file. External weights are found beside it. */
  readonly model: string;
  /** The engine file. It is put in place whole, by a rename, once the build has succeeded; its folder must exist. */
  readonly output: string;

  /** Several optimization profiles, in order; instead of `minShapes` and its like. Default: none. */
  readonly profiles?: readonly ShapeProfile[];
  /** Default: TensorRT's own limits. */
  readonly memPoolSize?: MemoryPools;
  /** A file of timings to start from; what the build has learnt is added to it. Need not exist. Default: none. */
  readonly timingCacheFile?: string;
  /** 0 (quick build) to 5 (quick engine). Default: TensorRT's own, which is 3. */
  readonly builderOptimizationLevel?: number;
  /**
   * The GPUs that an engine of TensorRT-RTX is for, such as `['8.6', '12.0']`. Default: the one that is here;
   * without any, 8.6, and a log line says so.
   */
  readonly computeCapabilities?: readonly string[];
  /** Tensor types follow the network alone. Default false, but TensorRT from 11 on and TensorRT-RTX know no other way. */
  readonly stronglyTyped?: boolean;
  /** The GPU to build on, by its CUDA number. Default 0. */
  readonly device?: number;
  /** Libraries of plugins to load first. Default: none. */
  readonly staticPlugins?: readonly string[];
  /** Most auxiliary streams that the engine may use per inference stream. Default: TensorRT's choice. */
  readonly maxAuxStreams?: number;
  /** Most tactics to time where there is a choice. Default: TensorRT's choice. */
  readonly maxTactics?: number;
  /** Which other GPUs the engine is to run on. Default `none`. */
  readonly hardwareCompatibilityLevel?: 'none' | 'ampere+' | 'sameComputeCapability';
  /** How much an engine tells about its layers. Default `layer_names_only`. */
  readonly profilingVerbosity?: 'layer_names_only' | 'none' | 'detailed';
  /** TensorRT's builder flags by their C++ names, such as `['FP16', 'REFIT']`; `no` before one clears it. Default: none. */
  readonly flags?: readonly string[];
  /** Most threads that TensorRT may use. Default: TensorRT's choice. */
  readonly maxThreads?: number;

  /** TensorRT's library, or the folder that has it. Default: it is searched for; see docs/build-options.md. */
  readonly tensorrt?: string;
  /** The least severe log lines to keep. Default `info`. */
  readonly logSeverity?: LogSeverity;
  /** Default `process`: a crash is then an outcome, and a cancel has a bound. */
  readonly isolation?: Isolation;
  /**
   * How long each rung of a cancel may take, in milliseconds: TensorRT is asked, then its process is told to leave
   * (SIGTERM), then it is killed. 0 kills at once. Only for `process`. Default 10,000.
   */
  readonly graceMs?: number;
  /** False builds unobserved, without phases, steps or a cooperative cancel: to measure what observing costs. Default true. */
  readonly monitor?: boolean;
}
