import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../contracts/errors.js';
import {
  escapeFormula,
  unescapeFormula,
  csvRecords,
  readRedirectCsv,
} from '../../../src/features/routing/redirects/import/redirect-csv.js';

const rows = async (csv: string) => (await readRedirectCsv(csv)).rows.map(({ line, cells }) => [line, cells]);
const refusal = async (csv: string) => {
  try {
    await readRedirectCsv(csv);
  } catch (error) {
    if (error instanceof AppError) return (error.details as { issues: { code: string }[] }).issues[0]?.code;
    throw error;
  }
  return undefined;
};

describe('A CSV file', () => {
  it.each([
    ['CRLF', 'source,target\r\n/a,/b\r\n/c,/d\r\n'],
    ['LF', 'source,target\n/a,/b\n/c,/d'],
    ['CR', 'source,target\r/a,/b\r/c,/d\r'],
    ['a byte order mark', '\uFEFFsource,target\r\n/a,/b\r\n/c,/d\r\n'],
    ['columns in another order and spelling', 'TARGET , Source\r\n/b,/a\r\n/d , /c\r\n'],
    ['quotes', '"source","target"\r\n"/a","/b"\r\n"/c","/d"\r\n'],
  ])('parses a CSV file with %s', async (_what, csv) => {
    expect(await rows(csv)).toEqual([
      [2, { source: '/a', target: '/b' }],
      [3, { source: '/c', target: '/d' }],
    ]);
  });

  it.each([
    ['semicolons', 'source;target\r\n/a;/b\r\n/c;/d\r\n', 2],
    ['tabs', 'source\ttarget\r\n/a\t/b\r\n/c\t/d\r\n', 2],
    ['semicolons, and commas in quotes', '"source";"target";"a,b,c,d"\n/a;/b;"x,y"\n/c;/d;\n', 2],
    ['empty lines before the header', '\n\nsource;target\n/a;/b\n/c;/d\n', 4],
    ['a line that names the semicolon', 'sep=;\r\nsource;target\r\n/a;/b\r\n/c;/d\r\n', 3],
    ['a line that names the comma', 'sep=,\nsource,target\n/a,/b\n/c,/d\n', 3],
    ['a line that names another character', 'SEP=|\rsource|target\r/a|/b\r/c|/d\r', 3],
    ['a quoted line that names the tab', '\uFEFF"sep=\t"\r\nsource\ttarget\r\n/a\t/b\r\n/c\t/d', 3],
  ])('parses a CSV file with %s', async (_what, csv, first) => {
    expect(await rows(csv)).toEqual([
      [first, { source: '/a', target: '/b' }],
      [first + 1, { source: '/c', target: '/d' }],
    ]);
  });

  it('keeps the other delimiters in cells', async () => {
    expect(await rows('source;target;note\n/a;/b;"x;y,z"\n/a,b;/c;1,5\n')).toEqual([
      [2, { source: '/a', target: '/b', note: 'x;y,z' }],
      [3, { source: '/a,b', target: '/c', note: '1,5' }],
    ]);
    expect(await rows('source,target,note\n/a;x,/b,1;2;3;4;5\n')).toEqual([
      [2, { source: '/a;x', target: '/b', note: '1;2;3;4;5' }],
    ]);
  });

  it('numbers the lines behind one that names the delimiter, also where a row is malformed', async () => {
    expect(await rows('sep=;\nsource;target\n/a;/b\n"/c;/d\n/e;/f\n')).toEqual([
      [3, { source: '/a', target: '/b' }],
      [4, null],
      [5, { source: '/e', target: '/f' }],
    ]);
  });

  it('parses quoted line ends, quotes and commas, empty lines and unknown columns', async () => {
    const csv = 'source,target,note,by\r\n/a,/b,"x\r\ny, ""z""",me\r\n\r\n/c,/d,,\r\n,,,\r\n/e,/f, g ,\r\n';
    expect(await rows(csv)).toEqual([
      [2, { source: '/a', target: '/b', note: 'x\r\ny, "z"' }],
      [5, { source: '/c', target: '/d', note: '' }],
      [7, { source: '/e', target: '/f', note: ' g ' }],
    ]);
    expect((await readRedirectCsv(csv)).unknownColumns).toEqual(['by']);
  });

  it('continues after a row with an unclosed quote', async () => {
    expect(await rows('source,target\r\n/a,/b\r\n"/c,/d\r\n/e,/f\r\n')).toEqual([
      [2, { source: '/a', target: '/b' }],
      [3, null],
      [4, { source: '/e', target: '/f' }],
    ]);
  });

  it('continues after an oversized row', async () => {
    const csv = `source,target,note\r\n/a,/b,"${'x'.repeat(100_000)}"\r\n/c,/d,\r\n`;
    expect((await rows(csv)).map(([line, cells]) => [line, cells === null])).toEqual([
      [2, true],
      [3, false],
    ]);
  });

  it.each([
    ['', 'missing_column'],
    ['\r\n\r\n', 'missing_column'],
    ['/a,/b\r\n', 'missing_column'],
    ['source|target\r\n/a|/b\r\n', 'missing_column'],
    ['source,target,Source\r\n', 'duplicate_column'],
  ])('rejects the CSV file %j with %s', async (csv, code) => {
    expect(await refusal(csv)).toBe(code);
  });

  it('accepts at most 10,000 rows', async () => {
    const csv = (count: number) => `source,target\n${'/a,/b\n'.repeat(count)}`;
    expect(await rows(csv(10_000))).toHaveLength(10_000);
    expect(await refusal(csv(10_001))).toBe('too_big');
  });

  it.each([
    ['"\n'.repeat(1_000_000), 'too_big'],
    [',\n'.repeat(2_000_000), 'too_big'],
  ])('rejects a hostile file at the first limit that it exceeds', async (csv, code) => {
    expect(await refusal(`source,target\n${csv}`)).toBe(code);
  });

  it('reports one record of five million quotes with its line', async () => {
    expect(await rows(`source,target\n${'"'.repeat(5_000_000)}`)).toEqual([[2, null]]);
  });

  it('reads no more records than an import accepts', async () => {
    expect(await csvRecords(',\n'.repeat(2_000_000), 10)).toHaveLength(10);
    expect(await csvRecords('"\n'.repeat(1_000_000), 10)).toHaveLength(10);
  });
});

describe('A cell', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    '\r=1',
    '\n=1',
    '\uFF1D1',
    '\uFF0B1',
    '\uFF0D1',
    '\uFF201',
    ' =1',
    '|calc',
    '\u3000=1',
    "'=1",
    "''@a",
  ])('escapes the formula %j and restores it exactly', (cell) => {
    expect(escapeFormula(cell)).toBe(`'${cell}`);
    expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
  });

  it.each(['', '/a', "'", "'a", "it's =", 'a|b', ' 1'])('leaves the harmless cell %j unchanged', (cell) => {
    expect(escapeFormula(cell)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(cell);
  });
});
