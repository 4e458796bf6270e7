import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPages, root } from './pages.js';

const WORDS = 2_500;

function bench(...args: string[]): { code: number | null; output: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/bench/bench.js', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, output: stdout, error: stderr };
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);

describe('npm run bench', () => {
  it('lists every benchmark with one line when it is called without a name', () => {
    const { code, output } = bench();
    expect(code).toBe(0);
    expect(namesIn(output)).toContain('throughput');
    expect(namesIn(output)).toContain('kill-promotions');
  });

  it.each(['nope', 'constructor', '--quick'])(
    'fails with exit code 2 and the list for the name %s',
    (name) => {
      const { code, output, error } = bench(name);
      expect([code, output]).toEqual([2, '']);
      expect(error).toContain(JSON.stringify(name));
      expect(namesIn(error)).toEqual(namesIn(bench().output));
    },
  );

  it('names only files that exist', async () => {
    const text = await readFile(path.join(root, 'test/bench/bench.js'), 'utf8');
    const files = [...text.matchAll(/file: '([^']+)'/g)].map(([, name = '']) => `test/bench/${name}`);
    const tests = [...text.matchAll(/'(test\/operations\/[^']+)'/g)].map(([, name = '']) => name);
    expect(files.length + tests.length).toBeGreaterThan(16);
    expect([...files, ...tests].filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });

  it('has every program of the folder that reads arguments', async () => {
    const text = await readFile(path.join(root, 'test/bench/bench.js'), 'utf8');
    const folder = path.join(root, 'test/bench');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const programs: string[] = [];
    for (const file of files)
      if ((await readFile(path.join(folder, file), 'utf8')).includes('parseArgs(')) programs.push(file);
    expect(programs.length).toBeGreaterThan(10);
    expect(programs.filter((file) => !text.includes(`'${file}'`))).toEqual([]);
  });
});

describe('The page of the benchmarks', () => {
  it(`has at most ${WORDS} words and describes every benchmark`, async () => {
    const page = (await readPages()).find(({ name }) => name === 'test/bench/README.md')?.text ?? '';
    expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(WORDS);
    expect(namesIn(bench().output).filter((name) => !page.includes(`- \`${name}\`: `))).toEqual([]);
  });
});
