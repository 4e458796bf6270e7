import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCsv, readJsonLines, type TableRow } from '../../src/cli/import/exports/table-file.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const NOT_UTF8 = 'It has letters that are not UTF-8.';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lines and problems of the rows of a file. */
async function rowsOf(
  read: (file: string) => AsyncIterable<TableRow>,
  content: string | Buffer,
  use: () => Promise<unknown> = () => Promise.resolve(),
) {
  const file = path.join(folder, 'table');
  await writeFile(file, content);
  const found: [number, string | undefined][] = [];
  for await (const { line, problem } of read(file)) {
    found.push([line, problem]);
    await use();
  }
  return found;
}

describe('Rows of a table', () => {
  it('are lines of any number; those that are not JSON or do not end are named', async () => {
    const invalid = Buffer.from('{"a":"\u00ff"}\n{"a":"\uFFFD"}', 'latin1');
    const lines = ['{"id":1}', '[1]', '{', '', `{"a":"${'x'.repeat(5_000_000)}"}`, '{"a":"\uFFFD"}', ''];
    expect(await rowsOf(readJsonLines, Buffer.concat([Buffer.from(lines.join('\n')), invalid]))).toEqual([
      [1, undefined],
      [2, 'It is not an object.'],
      [3, 'It is not JSON.'],
      [5, 'It has more than 4194304 bytes.'],
      [6, undefined],
      [7, NOT_UTF8],
      [8, NOT_UTF8],
    ]);
  });

  it('are those around a record of CSV that does not end', async () => {
    const long = await rowsOf(readCsv, `id,a\n1,"${'x'.repeat(5_000_000)}\n2,b\n`);
    expect(long.map(([line]) => line)).toEqual([2, 3]);
    const open = await rowsOf(readCsv, `id,a\n${'1,2\n'.repeat(3)}4,"x`);
    expect(open.map(([line]) => line)).toEqual([2, 3, 4, 5]);
  });

  it('are all returned before a malformed record, however slowly they are used', async () => {
    const rows = await rowsOf(readCsv, 'id,a\n1,a\n2,b\n3,c\n4,"open\n5,d\n', () => delay(5));
    expect(rows).toEqual([
      [2, undefined],
      [3, undefined],
      [4, undefined],
      [5, 'Its quotes are not closed, or it is too long.'],
      [6, undefined],
    ]);
  });

  it('may have the letter that replaces others', async () => {
    const mixed = Buffer.from('id,a\n1,\uFFFD\n2,"\u00fc\n\uFFFD"\n3,');
    expect(await rowsOf(readCsv, Buffer.concat([mixed, Buffer.from('\u00ff\n4,b', 'latin1')]))).toEqual([
      [2, undefined],
      [3, undefined],
      [5, NOT_UTF8],
      [6, undefined],
    ]);
  });
});
