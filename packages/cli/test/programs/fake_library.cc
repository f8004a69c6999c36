// Has a function of TensorRT's name, and nothing else of it.
extern "C" void* createInferBuilder_INTERNAL(void* logger, int version) { return version == 7 ? logger : nullptr; }
