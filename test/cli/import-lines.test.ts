import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { batchesOf, groupPages } from '../../src/cli/import/import-pages.js';
import { LineReader, readLines, type Line } from '../../src/cli/import/read-lines.js';
import type { ListedLine, PageFacts } from '../../src/cli/import/survey.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-lines-'));
});

afterAll(() => rm(directory, { recursive: true }));

async function linesIn(text: string): Promise<{ lines: Line[]; again: string[] }> {
  const file = path.join(directory, 'lines.jsonl');
  await writeFile(file, text);
  const lines: Line[] = [];
  for await (const line of readLines(file)) lines.push(line);
  const reader = LineReader.open(file);
  const again = lines.map((line) => reader.read(line));
  reader.close();
  return { lines, again };
}

describe('Lines of a file', () => {
  it('are numbered with blank ones, end with LF or CRLF, and are found again by their place', async () => {
    const { lines, again } = await linesIn('\uFEFFone\r\n\n  \r\nzwei ü\nthree\u2028still three\n\nlast');
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, 'one'],
      [4, 'zwei ü'],
      [5, 'three\u2028still three'],
      [7, 'last'],
    ]);
    expect(again).toEqual(lines.map(({ text }) => text));
  });

  it('may be longer than what is read at once', async () => {
    const long = ['é'.repeat(200_000), 'short', '漢'.repeat(90_001)];
    const { lines, again } = await linesIn(long.join('\n'));
    expect(lines.map(({ text }) => text)).toEqual(long);
    expect(again).toEqual(long);
  });

  it('are none in an empty file', async () => {
    expect((await linesIn('')).lines).toEqual([]);
  });
});

describe('Batches of an import', () => {
  const locales = ['en', 'de'];
  const keys = Array.from({ length: 130 }, (_, index) => `k${String(index)}`);
  const lines = keys.flatMap((key, page) =>
    locales.map((locale, index): ListedLine => ({
      key,
      locale,
      number: 2 * page + index,
      start: 0,
      length: 10,
    })),
  );

  const factsOf = (key: string, parent: string | null): [string, PageFacts] => [
    key,
    { position: 0, parent, links: [], leadingLine: 0 },
  ];

  it('have one locale each, every line once, at most a hundred lines, and those of parents apart', () => {
    const parents = keys.slice(20, 50);
    const pages = new Map([
      ...keys.map((key, index) => factsOf(key, index < 5 ? null : 'k0')),
      ...parents.map((key) => factsOf(`below-${key}`, key)),
    ]);
    const levels = groupPages({ lines, locales, pages }, [keys.slice(0, 5), keys.slice(5)], 100);
    const sizes = levels.map((groups) => groups.map(({ batches }) => batches.map(({ length }) => length)));
    expect(sizes).toEqual([
      [
        [1, 1],
        [4, 4],
      ],
      [
        [15, 15],
        [15, 15],
        [48, 48],
        [47, 47],
      ],
    ]);
    const apart = levels[1]?.slice(0, 2).flatMap(({ batches }) => batches.flat().map(({ key }) => key));
    expect(new Set(apart)).toEqual(new Set(parents));
    const batches = levels.flat().flatMap((group) => group.batches);
    expect(batches.map((batch) => new Set(batch.map(({ locale }) => locale)).size)).toEqual(
      batches.map(() => 1),
    );
    const numbers = batches.flatMap((batch) => batch.map(({ number }) => number));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(lines.map(({ number }) => number));
  });

  it('are divided by bytes, but never a line', () => {
    const sized = [600_000, 600_000, 10, 3_000_000, 10].map((length, number) => ({
      key: String(number),
      locale: 'en',
      number,
      start: 0,
      length,
    }));
    expect(batchesOf(sized, 100).map((batch) => batch.map(({ number }) => number))).toEqual([
      [0],
      [1, 2],
      [3],
      [4],
    ]);
    expect(batchesOf(sized, 1)).toHaveLength(5);
  });
});
