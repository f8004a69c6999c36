import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTensorrt, searchTensorrt } from '../src/discovery.ts';
import { fakeLibraries, rtxNames, tensorrtNames } from './fake-tensorrt.ts';
import { temporaryFolder } from './temporary-folder.ts';

const otherArch = process.arch === 'x64' ? 'arm64' : 'x64';

// An environment in which nothing is found but what a test adds to it.
function emptyEnv(): Record<string, string> {
  return { PATH: '', TRTSCOPE_CACHE: join(temporaryFolder(), 'cache') };
}

function refusal(options: Parameters<typeof findTensorrt>[0]): Error {
  try {
    findTensorrt(options);
  } catch (error) {
    return error as Error;
  }
  throw new Error('something was found');
}

describe('findTensorrt', () => {
  test('a library is found by its file and by its folder, with its parser', () => {
    const folder = fakeLibraries(temporaryFolder(), rtxNames);
    const found = {
      library: join(folder, 'libtensorrt_rtx.so.1'),
      parser: join(folder, 'libtensorrt_onnxparser_rtx.so.1'),
      edition: 'tensorrt_rtx',
      why: '--tensorrt',
    };
    expect(findTensorrt({ tensorrt: folder })).toEqual(found);
    expect(findTensorrt({ tensorrt: found.library })).toEqual(found);
  });

  test('the simulator is found by its file alone, and is its own parser', () => {
    const name = 'libtrtscope_simulator_tensorrt-rtx-1.7.so';
    const folder = fakeLibraries(temporaryFolder(), [name]);
    const library = join(folder, name);
    const found = { library, parser: library, edition: 'tensorrt_rtx', why: '--tensorrt' };
    expect(findTensorrt({ tensorrt: library })).toEqual(found);
    expect(refusal({ tensorrt: folder })).toMatchObject({ code: 'TENSORRT_MISSING' });
  });

  test('the folder of an unpacked archive or of site-packages will do', () => {
    const archive = temporaryFolder();
    const lib = fakeLibraries(join(archive, 'lib'), tensorrtNames);
    expect(findTensorrt({ tensorrt: archive }).library).toBe(join(lib, 'libnvinfer.so.10'));
    const site = temporaryFolder();
    fakeLibraries(join(site, 'tensorrt_rtx_libs'), rtxNames);
    expect(findTensorrt({ tensorrt: site }).edition).toBe('tensorrt_rtx');
  });

  test('the option comes before TRTSCOPE_TENSORRT, that before LD_LIBRARY_PATH, then Python, then the cache', () => {
    const env = emptyEnv();
    const why = () => findTensorrt({ env }).why;
    fakeLibraries(
      join(env['TRTSCOPE_CACHE'] as string, 'tensorrt-rtx-1.7.1.116/tensorrt_rtx_libs'),
      rtxNames,
    );
    expect(why()).toBe('the cache');
    env['VIRTUAL_ENV'] = temporaryFolder();
    fakeLibraries(join(env['VIRTUAL_ENV'], 'lib/python3.12/site-packages/tensorrt_libs'), tensorrtNames);
    expect(why()).toBe('Python');
    env['LD_LIBRARY_PATH'] = `/nowhere:${fakeLibraries(temporaryFolder(), rtxNames)}`;
    expect(why()).toBe('LD_LIBRARY_PATH');
    env['TRTSCOPE_TENSORRT'] = fakeLibraries(temporaryFolder(), rtxNames);
    expect(why()).toBe('TRTSCOPE_TENSORRT');
    const tensorrt = fakeLibraries(temporaryFolder(), rtxNames);
    expect(findTensorrt({ env, tensorrt }).why).toBe('--tensorrt');
  });

  test('a virtual environment is known by the python3 on PATH', () => {
    const env = emptyEnv();
    const venv = temporaryFolder();
    mkdirSync(join(venv, 'bin'));
    symlinkSync('/bin/true', join(venv, 'bin/python3'));
    env['PATH'] = join(venv, 'bin');
    const libs = fakeLibraries(join(venv, 'lib/python3.13/site-packages/tensorrt_rtx_libs'), rtxNames);
    expect(findTensorrt({ env }).library).toBe(join(libs, 'libtensorrt_rtx.so.1'));
  });

  test('of several majors the newest is taken, and each with the parser of its own', () => {
    const names = ['libnvinfer.so.10', 'libnvonnxparser.so.10', 'libnvinfer.so.11', 'libnvonnxparser.so.11'];
    const folder = fakeLibraries(temporaryFolder(), names);
    expect(findTensorrt({ tensorrt: folder }).parser).toBe(join(folder, 'libnvonnxparser.so.11'));
    const older = findTensorrt({ tensorrt: join(folder, 'libnvinfer.so.10') });
    expect(older.parser).toBe(join(folder, 'libnvonnxparser.so.10'));
  });

  test('without any it says where it looked and how to install it', () => {
    const error = refusal({ env: emptyEnv() });
    expect(error).toMatchObject({ code: 'TENSORRT_MISSING' });
    expect(error.message).toMatch(/No TensorRT library was found in .*the cache.*"trtscope setup"/);
  });

  test('a place that was named is the only one, and said to be empty', () => {
    const env = emptyEnv();
    env['LD_LIBRARY_PATH'] = fakeLibraries(temporaryFolder(), rtxNames);
    env['TRTSCOPE_TENSORRT'] = temporaryFolder();
    expect(refusal({ env })).toMatchObject({ code: 'TENSORRT_MISSING' });
    expect(refusal({ env }).message).toContain(
      `TRTSCOPE_TENSORRT "${env['TRTSCOPE_TENSORRT']}" has no TensorRT library`,
    );
  });

  test('a library that cannot be loaded is named with the reason', () => {
    const folder = temporaryFolder();
    fakeLibraries(join(folder, 'arch'), rtxNames, otherArch);
    fakeLibraries(join(folder, 'old'), ['libnvinfer.so.8', 'libnvonnxparser.so.8']);
    fakeLibraries(join(folder, 'alone'), rtxNames.slice(0, 1));
    mkdirSync(join(folder, 'text'));
    writeFileSync(join(folder, 'text/libnvinfer.so.10'), 'INPUT ( libnvinfer.so.10.1 )');
    const reasons: readonly [place: string, reason: string][] = [
      ['arch', `is for ${otherArch}, and this is ${process.arch}`],
      ['old', 'is older than TensorRT 10'],
      ['alone', 'has no libtensorrt_onnxparser_rtx.so.1 beside it'],
      ['text', 'is no shared library'],
      ['none.so', 'does not exist'],
    ];
    for (const [place, reason] of reasons) {
      const error = refusal({ tensorrt: join(folder, place) });
      expect(error).toMatchObject({ code: 'TENSORRT_UNLOADABLE' });
      expect(error.message).toContain(reason);
    }
  });
});

describe('searchTensorrt', () => {
  test('tells every library that there is, and those that cannot be used', () => {
    const env = emptyEnv();
    const good = fakeLibraries(temporaryFolder(), rtxNames);
    const bad = fakeLibraries(temporaryFolder(), tensorrtNames, otherArch);
    env['LD_LIBRARY_PATH'] = `${bad}:${good}`;
    const { found, problems, searched } = searchTensorrt({ env });
    expect(found.map(({ library }) => library)).toEqual([join(good, 'libtensorrt_rtx.so.1')]);
    expect(problems).toEqual([`${bad}/libnvinfer.so.10 is for ${otherArch}, and this is ${process.arch}`]);
    expect(searched.slice(0, 2).map(({ folder }) => folder)).toEqual([bad, good]);
  });

  test('a library of another machine does not hide one that can be used', () => {
    const env = emptyEnv();
    const bad = fakeLibraries(temporaryFolder(), tensorrtNames, otherArch);
    env['LD_LIBRARY_PATH'] = `${bad}:${fakeLibraries(temporaryFolder(), rtxNames)}`;
    expect(findTensorrt({ env }).edition).toBe('tensorrt_rtx');
  });
});
