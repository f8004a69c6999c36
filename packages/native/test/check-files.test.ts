import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ErrorCode } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import { checkFiles } from '../src/check-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

function folderWithModel(): { folder: string; model: string } {
  const folder = temporaryFolder();
  const model = join(folder, 'm.onnx');
  writeFileSync(model, 'model');
  return { folder, model };
}

function refusal(options: Parameters<typeof checkFiles>[0], code: ErrorCode): string {
  try {
    checkFiles(options);
  } catch (error) {
    expect(error).toMatchObject({ code });
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

describe('checkFiles', () => {
  test('answers absolute paths and leaves no file', () => {
    const { folder, model } = folderWithModel();
    const output = relative(process.cwd(), join(folder, 'm.engine'));
    const timingCacheFile = join(folder, 't.cache');
    expect(checkFiles({ model: relative(process.cwd(), model), output, timingCacheFile })).toEqual({
      model,
      output: join(folder, 'm.engine'),
      timingCacheFile,
    });
    expect(readdirSync(folder)).toEqual(['m.onnx']);
  });

  test('an output that is a link stands for the file behind it', () => {
    const { folder, model } = folderWithModel();
    writeFileSync(join(folder, 'real.engine'), 'old');
    symlinkSync('real.engine', join(folder, 'link.engine'));
    expect(checkFiles({ model, output: join(folder, 'link.engine') }).output).toBe(
      join(folder, 'real.engine'),
    );
  });

  test('a model that is a link keeps its own place, where its weights are', () => {
    const { folder, model } = folderWithModel();
    symlinkSync(model, join(folder, 'link.onnx'));
    const files = checkFiles({ model: join(folder, 'link.onnx'), output: join(folder, 'm.engine') });
    expect(files.model).toBe(join(folder, 'link.onnx'));
  });

  test('a missing model and a folder for a model are refused', () => {
    const { folder, model } = folderWithModel();
    const output = join(folder, 'm.engine');
    expect(refusal({ model: `${model}x`, output }, 'MODEL_MISSING')).toBe(
      `The model "${model}x" does not exist; give the path of an ONNX file.`,
    );
    expect(refusal({ model: folder, output }, 'MODEL_MISSING')).toContain('is a folder');
    expect(refusal({ model: join(model, 'x'), output }, 'MODEL_MISSING')).toContain('does not exist');
    expect(refusal({ model: '/dev/null', output }, 'MODEL_MISSING')).toContain('is not a regular file');
  });

  test('an output that is the model is refused, through links too', () => {
    const { folder, model } = folderWithModel();
    symlinkSync(model, join(folder, 'symbolic'));
    linkSync(model, join(folder, 'hard'));
    for (const output of [
      model,
      join(folder, '..', relative(join(folder, '..'), model)),
      join(folder, 'symbolic'),
      join(folder, 'hard'),
    ]) {
      expect(refusal({ model, output }, 'OUTPUT_UNWRITABLE')).toContain(
        'is the model itself; choose another file.',
      );
    }
    const timingCacheFile = join(folder, 'hard');
    const message = refusal({ model, output: join(folder, 'x'), timingCacheFile }, 'OUTPUT_UNWRITABLE');
    expect(message).toContain('timingCacheFile: "');
  });

  test('a timing cache that is the output is refused', () => {
    const { folder, model } = folderWithModel();
    const output = join(folder, 'm.engine');
    expect(refusal({ model, output, timingCacheFile: output }, 'OUTPUT_UNWRITABLE')).toContain(
      'is the output too',
    );
  });

  test('an output that is a folder, in no folder, or a device is refused', () => {
    const { folder, model } = folderWithModel();
    mkdirSync(join(folder, 'sub'));
    expect(refusal({ model, output: join(folder, 'sub') }, 'OUTPUT_UNWRITABLE')).toContain(
      'is a folder; name a file.',
    );
    expect(refusal({ model, output: `${folder}/sub/` }, 'OUTPUT_UNWRITABLE')).toContain('names a folder');
    expect(refusal({ model, output: join(folder, 'none/m.engine') }, 'OUTPUT_UNWRITABLE')).toContain(
      `lies in "${folder}/none", which is no folder; create it first.`,
    );
    expect(refusal({ model, output: join(model, 'm.engine') }, 'OUTPUT_UNWRITABLE')).toContain(
      'which is no folder',
    );
    expect(refusal({ model, output: '/dev/null' }, 'OUTPUT_UNWRITABLE')).toContain('is not a regular file');
  });

  test('an output where nobody can write is refused, to root too', () => {
    const { model } = folderWithModel();
    expect(refusal({ model, output: '/proc/self/m.engine' }, 'OUTPUT_UNWRITABLE')).toMatch(/^output: "/);
  });

  test('a name that leaves no room for its temporary is refused', () => {
    const { folder, model } = folderWithModel();
    const output = join(folder, 'x'.repeat(240));
    expect(refusal({ model, output }, 'OUTPUT_UNWRITABLE')).toContain('has too long a name');
  });
});
