import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, '../..');
const original = await readFile(path.join(repository, 'src/cli/commands/headwater.ts'), 'utf8');
let root: string;

const build = () => run(process.execPath, [path.join(root, 'src/cli/build.js')]);
const usage = async (): Promise<string> =>
  (await run(process.execPath, [path.join(root, 'dist/headwater.js'), '--help'])).stdout;
const builds = async (): Promise<string[]> =>
  (await readdir(path.join(root, 'dist'))).filter((name) => !name.endsWith('.js')).sort();
const builtAt = async (): Promise<number> => (await stat(path.join(root, 'dist/headwater.js'))).mtimeMs;

/** Changes a source so that the usage text starts with `word`. */
const setUsageWord = (word: string): Promise<void> =>
  writeFile(path.join(root, 'src/cli/commands/headwater.ts'), original.replace('`Usage:', `\`${word}:`));

describe('npm run build', () => {
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'headwater-build-'));
    for (const name of [
      ...['contracts', 'openapi', 'src', 'README.md', 'CHANGELOG.md'],
      ...['package.json', 'package-lock.json', 'tsconfig.json'],
    ])
      await cp(path.join(repository, name), path.join(root, name), { recursive: true });
    await symlink(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  }, 120_000);
  afterAll(() => rm(root, { recursive: true }));

  it('builds equal sources once, even when processes build concurrently', async () => {
    await Promise.all([build(), build(), build()]);
    expect(await usage()).toMatch(/^Usage:/);
    const [build1, ...more] = await builds();
    expect([build1, more]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), []]);
    const before = await builtAt();
    await build();
    expect(await builtAt()).toBe(before);
  }, 120_000);

  it('follows changed content and not modification times, and reuses an earlier build', async () => {
    const [first] = await builds();
    await setUsageWord('Ask');
    await build();
    expect(await usage()).toMatch(/^Ask:/);
    expect(await builds()).toHaveLength(2);
    await setUsageWord('Usage');
    await build();
    expect(await usage()).toMatch(/^Usage:/);
    expect(await readFile(path.join(root, 'dist/headwater.js'), 'utf8')).toContain(`./${String(first)}/`);
  });

  it('notices added and deleted files', async () => {
    const before = await readFile(path.join(root, 'dist/main.js'), 'utf8');
    await mkdir(path.join(root, 'src/features/nothing'));
    const file = path.join(root, 'src/features/nothing/index.ts');
    await writeFile(file, '');
    await build();
    expect(await readFile(path.join(root, 'dist/main.js'), 'utf8')).not.toBe(before);
    await rm(file);
    await build();
    expect(await readFile(path.join(root, 'dist/main.js'), 'utf8')).toBe(before);
  });

  it('keeps recent builds that processes may still run and deletes older ones', async () => {
    const [oldest] = await builds();
    for (const word of ['One', 'Two', 'Three']) {
      await setUsageWord(word);
      await build();
    }
    const kept = await builds();
    expect(kept).toHaveLength(3);
    expect(kept).not.toContain(oldest);
    expect(await usage()).toMatch(/^Three:/);
  }, 120_000);

  it('prints one line on failure and keeps the last build', async () => {
    await writeFile(path.join(root, 'src/cli/commands/headwater.ts'), 'const = 1;');
    await expect(build()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/headwater\.ts/) });
    expect(await usage()).toMatch(/^Three:/);
    expect((await builds()).filter((name) => name.startsWith('making'))).toEqual([]);
  });
});
