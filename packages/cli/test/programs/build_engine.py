"""Builds an engine as somebody's own script does: build_engine.py MODEL ENGINE WORD

WORD: count:              with a progress monitor of its own, which tells all that it was called with
      stop:               the same, but it says no at its 100th step
      deserialise:        then loads the engine, with the same logger
      runtime-first:      the same, but makes the runtime before the builder
"""

import hashlib
import sys
import threading

import tensorrt_rtx_bindings as trt

model, output, word = sys.argv[1:]


class Monitor(trt.IProgressMonitor):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()
        self.calls = []
        self.steps = 0

    def note(self, *call):
        with self.lock:
            self.calls.append(repr(call))

    def phase_start(self, name, parent, steps):
        self.note("start", name, parent, steps)

    def step_complete(self, name, step):
        self.note("step", name, step)
        self.steps += 1
        return word != "stop" or self.steps < 100

    def phase_finish(self, name):
        self.note("finish", name)


class Logger(trt.ILogger):
    def log(self, severity, message):
        if loads or severity == trt.ILogger.ERROR:
            print(severity.name, message, file=sys.stderr)


loads = word in ("deserialise", "runtime-first")
logger = Logger()
runtime = trt.Runtime(logger) if word == "runtime-first" else None
builder = trt.Builder(logger)
network = builder.create_network(0)
parser = trt.OnnxParser(network, logger)
if not parser.parse_from_file(model):
    sys.exit(str(parser.get_error(0)))
config = builder.create_builder_config()
config.num_compute_capabilities = 1
config.set_compute_capability(trt.ComputeCapability.SM86, 0)
monitor = Monitor()
if word in ("count", "stop"):
    config.progress_monitor = monitor
engine = builder.build_serialized_network(network, config)
if monitor.calls:
    digest = hashlib.sha256("\n".join(monitor.calls).encode()).hexdigest()
    print(len(monitor.calls), "callbacks", digest)
    print("the same monitor" if config.progress_monitor is monitor else "another monitor")
if engine is None:
    print("no engine")
    sys.exit(7)
with open(output, "wb") as file:
    file.write(engine)
if loads:
    runtime = runtime or trt.Runtime(logger)
    print("loaded" if runtime.deserialize_cuda_engine(engine) else "not loaded")
    print("the same logger" if runtime.logger is logger and builder.logger is logger else "another logger")
