"""Builds an engine with NVIDIA's own Python module: build_with_python.py MODEL ENGINE"""

import sys

import tensorrt_rtx_bindings as trt

model, output = sys.argv[1:]
logger = trt.Logger(trt.Logger.WARNING)
builder = trt.Builder(logger)
network = builder.create_network(0)
parser = trt.OnnxParser(network, logger)
if not parser.parse_from_file(model):
    sys.exit(str(parser.get_error(0)))
config = builder.create_builder_config()
config.num_compute_capabilities = 1
config.set_compute_capability(trt.ComputeCapability.SM86, 0)
engine = builder.build_serialized_network(network, config)
if engine is None:
    sys.exit("TensorRT built no engine")
with open(output, "wb") as file:
    file.write(engine)
