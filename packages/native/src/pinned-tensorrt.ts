export const newestVersion = '1.7.1.116';

// sha256 of the wheels for x86-64 that PyPI serves as tensorrt-rtx-cu13-libs, the newest first.
export const tensorrtWheels: Readonly<Record<string, string>> = {
  [newestVersion]: 'e3fd45fed001240d63304e77a2d4006319b839994237cb294b6e7ad72acaabcd',
  '1.6.1.120': 'cb972965c8bcd58e2cdb805eb872c69fb90abdf98356b71942d9a2f8a10220cf',
  '1.5.0.114': '4d6f534f82b701e66f3a2bdade528e65670add4ad5d3a28cc010a1ae2abc5a60',
  '1.4.0.76': '736d89b60514f997fc23c729534f2721c01b4791d8b88ae75a4c1f8e9fa4eda6',
};

/** The versions of TensorRT-RTX that {@link setupTensorrt} can install, the newest first. */
export const pinnedVersions: readonly string[] = Object.keys(tensorrtWheels);
