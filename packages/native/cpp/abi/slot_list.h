#pragma once

// One row a function that we call: our name for it, its interface and name in NVIDIA's headers, and its slot in the
// virtual table (Itanium C++ ABI) of
//
//   TensorRT 10  |  TensorRT-RTX 1.3, 1.4  |  TensorRT-RTX 1.5-1.7  |  TensorRT 11
//
// -1: it has none. A new version with another layout is a new column; test/abi compares every cell with NVIDIA's
// headers.
#define TRTSCOPE_SLOTS(SLOT)                                                                   \
  SLOT(kBuilderCreateConfig, VBuilder, createBuilderConfig, 7, 7, 5, 5)                        \
  SLOT(kBuilderCreateNetwork, VBuilder, createNetworkV2, 8, 8, 6, 6)                           \
  SLOT(kBuilderCreateProfile, VBuilder, createOptimizationProfile, 9, 9, 7, 7)                 \
  SLOT(kBuilderSetErrorRecorder, VBuilder, setErrorRecorder, 10, 10, 8, 8)                     \
  SLOT(kBuilderBuild, VBuilder, buildSerializedNetwork, 14, 14, 11, 11)                        \
  SLOT(kBuilderBuildToStream, VBuilder, buildSerializedNetworkToStream, 21, 20, 17, 18)        \
  SLOT(kBuilderBuildEngine, VBuilder, buildEngineWithConfig, 20, -1, -1, 17)                   \
  SLOT(kBuilderBuildWithText, VBuilder, buildSerializedNetworkWithKernelText, 22, -1, -1, 19)  \
  SLOT(kBuilderLogger, VBuilder, getLogger, 16, 16, 13, 13)                                    \
  SLOT(kBuilderSetMaxThreads, VBuilder, setMaxThreads, 17, 17, 14, 14)                         \
  SLOT(kNetworkLayerCount, VNetworkDefinition, getNbLayers, 12, 12, 12, 12)                    \
  SLOT(kNetworkInputCount, VNetworkDefinition, getNbInputs, 14, 14, 14, 14)                    \
  SLOT(kNetworkInput, VNetworkDefinition, getInput, 15, 15, 15, 15)                            \
  SLOT(kNetworkOutputCount, VNetworkDefinition, getNbOutputs, 16, 16, 16, 16)                  \
  SLOT(kTensorName, VTensor, getName, 3, 3, 3, 3)                                              \
  SLOT(kTensorDimensions, VTensor, getDimensions, 5, 5, 5, 5)                                  \
  SLOT(kProfileSetDimensions, VOptimizationProfile, setDimensions, 2, 2, 2, 2)                 \
  SLOT(kConfigClearFlag, VBuilderConfig, clearFlag, 10, 8, 8, 8)                               \
  SLOT(kConfigSetFlag, VBuilderConfig, setFlag, 11, 9, 9, 9)                                   \
  SLOT(kConfigGetFlag, VBuilderConfig, getFlag, 12, 10, 10, 10)                                \
  SLOT(kConfigAddProfile, VBuilderConfig, addOptimizationProfile, 25, 23, 23, 23)              \
  SLOT(kConfigSetVerbosity, VBuilderConfig, setProfilingVerbosity, 27, 25, 25, 25)             \
  SLOT(kConfigCreateCache, VBuilderConfig, createTimingCache, 40, 29, 29, 29)                  \
  SLOT(kConfigSetCache, VBuilderConfig, setTimingCache, 41, 30, 30, 30)                        \
  SLOT(kConfigGetCache, VBuilderConfig, getTimingCache, 42, 31, 31, 31)                        \
  SLOT(kConfigSetPool, VBuilderConfig, setMemoryPoolLimit, 43, 32, 32, 32)                     \
  SLOT(kConfigSetLevel, VBuilderConfig, setBuilderOptimizationLevel, 47, 36, 36, 36)           \
  SLOT(kConfigSetCompatibility, VBuilderConfig, setHardwareCompatibilityLevel, 49, 38, 38, 38) \
  SLOT(kConfigSetMaxAuxStreams, VBuilderConfig, setMaxAuxStreams, 54, 43, 43, 43)              \
  SLOT(kConfigSetMonitor, VBuilderConfig, setProgressMonitor, 56, 45, 45, 45)                  \
  SLOT(kConfigGetMonitor, VBuilderConfig, getProgressMonitor, 57, 46, 46, 46)                  \
  SLOT(kConfigSetMaxTactics, VBuilderConfig, setMaxNbTactics, 60, 49, 49, 49)                  \
  SLOT(kConfigSetCapabilityCount, VBuilderConfig, setNbComputeCapabilities, -1, 55, 55, -1)    \
  SLOT(kConfigSetCapability, VBuilderConfig, setComputeCapability, -1, 57, 57, -1)             \
  SLOT(kCacheSerialize, VTimingCache, serialize, 2, 2, 2, 2)                                   \
  SLOT(kCacheCombine, VTimingCache, combine, 3, 3, 3, 3)                                       \
  SLOT(kMemoryData, VHostMemory, data, 2, 2, 2, 2)                                             \
  SLOT(kMemorySize, VHostMemory, size, 3, 3, 3, 3)                                             \
  SLOT(kRuntimeLogger, VRuntime, getLogger, 11, 11, 10, 10)                                    \
  SLOT(kRefitterLogger, VRefitter, getLogger, 16, 16, 12, 12)                                  \
  SLOT(kParserParseFile, IParser, parseFromFile, 1, 1, 1, 1)                                   \
  SLOT(kParserErrorCount, IParser, getNbErrors, 5, 5, 3, 3)                                    \
  SLOT(kParserError, IParser, getError, 6, 6, 4, 4)                                            \
  SLOT(kParserErrorCode, IParserError, code, 0, 0, 0, 0)                                       \
  SLOT(kParserErrorText, IParserError, desc, 1, 1, 1, 1)                                       \
  SLOT(kParserErrorNode, IParserError, node, 5, 5, 5, 5)                                       \
  SLOT(kParserErrorNodeName, IParserError, nodeName, 6, 6, 6, 6)                               \
  SLOT(kParserErrorOperator, IParserError, nodeOperator, 7, 7, 7, 7)

// Destructors cannot be named by a pointer to member: test/abi finds theirs through what surrounds them. Deleting
// destructors, same columns. kObjectDelete is that of every object of the API but the parser.
#define TRTSCOPE_DELETING_SLOTS(SLOT) \
  SLOT(kObjectDelete, 1, 1, 1, 1)     \
  SLOT(kParserDelete, 9, 9, 7, 7)
