import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const loader = path.join(root, 'src/cli/load-entry.js');

let folder: string;
let beside: string;
let data: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'headwater-entry-')));
  const build = path.join(folder, 'build');
  beside = path.join(build, 'compile-cache');
  data = path.join(folder, 'data');
  for (const place of [build, data]) await mkdir(place);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    path.join(folder, 'main.js'),
    "import { loadEntry } from './build/load-entry.js'; await loadEntry('main');",
  );
  await writeFile(
    path.join(build, 'main.js'),
    `import { getCompileCacheDir } from 'node:module';
    console.log(JSON.stringify([getCompileCacheDir() ?? '', process.env.NODE_COMPILE_CACHE ?? '', process.argv[1]]));`,
  );
  await cp(loader, path.join(build, 'load-entry.js'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Where code is stored, for the process itself and for its children, and the file that runs. */
async function loaded(env: Record<string, string>): Promise<readonly [string, string, string]> {
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: 20_000 };
  const { stdout } = await run(process.execPath, [path.join(folder, 'main.js')], options);
  const [used = '', ofChildren = '', file = ''] = JSON.parse(stdout) as string[];
  return [used === '' ? '' : path.dirname(used), ofChildren, file];
}

const file = (): string => path.join(folder, 'build/main.js');

describe('An entry of a build', () => {
  it('stores compiled code beside the build, readable by its user only', async () => {
    expect(await loaded({ HEADWATER_DATA_DIR: data })).toEqual([beside, beside, file()]);
    expect((await stat(beside)).mode & 0o777).toBe(0o700);
    expect((await readdir(beside, { recursive: true })).length).toBeGreaterThan(1);
    expect(await readdir(data)).toEqual([]);
  });

  it('stores it in the data directory where others may write beside the build', async () => {
    await mkdir(beside);
    await chmod(beside, 0o777);
    const place = path.join(data, 'compile-cache');
    expect(await loaded({ HEADWATER_DATA_DIR: data })).toEqual([place, place, file()]);
    expect(await readdir(beside)).toEqual([]);
  });

  it.each(['/proc/self/headwater', '/dev/null', 'nowhere/data'])(
    'runs without stored code where neither can be used and the data directory is %s',
    async (directory) => {
      await writeFile(beside, '');
      expect(await loaded({ HEADWATER_DATA_DIR: directory })).toEqual(['', '', file()]);
    },
  );

  it('runs without stored code where there is no data directory', async () => {
    await writeFile(beside, '');
    expect(await loaded({})).toEqual(['', '', file()]);
  });

  it('uses the folder that NODE_COMPILE_CACHE names', async () => {
    const place = path.join(folder, 'named');
    expect(await loaded({ NODE_COMPILE_CACHE: place, HEADWATER_DATA_DIR: data })).toEqual([
      place,
      place,
      file(),
    ]);
    expect((await readdir(path.join(folder, 'build'))).includes('compile-cache')).toBe(false);
  });
});

/** Identifies the code caches that a process with these flags accepts. */
async function versionOfCode(flags: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [...flags, '-p', 'v8.cachedDataVersionTag()']);
  return stdout.trim();
}

describe('The V8 flags that start the service', () => {
  it.each(['package.json', 'Dockerfile'])(
    "in %s do not invalidate the code cache of Node's built-in modules",
    async (name) => {
      const lines = (await readFile(path.join(root, name), 'utf8')).split('\n');
      const starts = lines.filter((line) => line.includes('dist/main.js'));
      expect(starts.length).toBeGreaterThan(0);
      const plain = await versionOfCode([]);
      for (const line of starts) {
        const flags = line.match(/--(?!load\b)[\w=-]+/g) ?? [];
        expect(flags).not.toEqual([]);
        expect(await versionOfCode(flags)).toBe(plain);
      }
      expect(await versionOfCode(['--heap-growing-percent=100'])).not.toBe(plain);
    },
  );
});
