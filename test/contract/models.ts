import { join } from 'node:path';
import { parseShapes } from '@trtscope/native';
import type { EngineBuildOptions } from '@trtscope/native';
import { allModels } from '../../scripts/models/catalogue.ts';
import { fetchModels, modelsFolder } from '../../scripts/models.ts';

/** A real model and how it is built. */
export interface RealModel {
  readonly file: string;
  readonly options?: Partial<EngineBuildOptions>;
  /** TensorRT's own error code, for a model that it cannot build. */
  readonly fails?: number;
}

export const realModels: readonly RealModel[] = [
  { file: 'light_resnet50.onnx' },
  { file: 'light_densenet121.onnx' },
  {
    file: 'ppocr_v4_det.onnx',
    options: {
      minShapes: parseShapes('x:1x3x320x320'),
      optShapes: parseShapes('x:1x3x640x640'),
      maxShapes: parseShapes('x:1x3x960x960'),
    },
  },
  { file: 'silero_vad_openvino_16k.onnx' },
  { file: 'basic_pitch_nmp.onnx', options: { shapes: parseShapes('serving_default_input_2:0:1x43844x1') } },
  { file: 'rapidocr_cls_mobile.onnx', options: { shapes: parseShapes('x:1x3x48x192') }, fails: 4 },
  { file: 'silero_vad.onnx', options: { shapes: parseShapes('input:1x512,state:2x1x128') }, fails: 2 },
];

export function modelPath(file: string): string {
  return join(modelsFolder(), file);
}

export async function fetchRealModels(): Promise<void> {
  await fetchModels(allModels);
}
