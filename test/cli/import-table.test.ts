import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { useApp } from '../support/desk.js';
import {
  importExport,
  importedEntries,
  stoppedAfter,
  useImports,
  type ImportOutcome,
} from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const at = (name: string): string => path.join(importing().folder, name);

/** Imports the file as it is. */
const again = (name: string, ...options: readonly string[]): Promise<ImportOutcome> =>
  importExport(importing().scene, name.split('.').at(-1) ?? '', at(name), '--type', 'part', ...options);

async function run(
  name: string,
  content: string | Buffer,
  ...options: readonly string[]
): Promise<ImportOutcome> {
  await writeFile(at(name), content);
  return again(name, ...options);
}

const lost = ({ losses }: ImportOutcome): string[] => losses.map(({ where, what }) => `${where}: ${what}`);

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

const csv = [
  'sku,title,title.de,price,stock,made,seen,isNew,colour,tags,parent,photo,code,note,link',
  ...['a', 'b', 'c', 'd', 'e', 'f'].map(
    (id, index) =>
      `${id},Lock ${id},${id === 'a' ? 'Schloss' : ''},${String(index)}.5,${String(index)},2020-01-0${String(index + 1)},2020-01-01 10:00,` +
      `${index % 2 === 0 ? 'yes' : 'no'},red,x|y,${id === 'a' ? 'f' : 'a'},img/p.svg,00${String(index)},"a ""b""\nc",https://example.com/${id}`,
  ),
].join('\r\n');

describe('An import of a table', () => {
  it('guesses the kinds of columns, reads locales, links to later rows and files, and changes nothing in a second run', async () => {
    const { scene } = importing();
    await mkdir(at('img'));
    await writeFile(at('img/p.svg'), picture);
    const { output } = await run('parts.csv', `\uFEFF${csv}`, '--dry-run');
    expect(output).toContain('Nothing was changed.');
    const mapping = parse(await readFile(at('parts.mapping.yaml'), 'utf8')) as {
      columns: object;
      locales: object;
      types: { part: { fields: Record<string, { kind: string; to?: string; separator?: string }> } };
    };
    expect([mapping.columns, mapping.locales]).toEqual([
      expect.objectContaining({ id: 'sku', slug: null, published: true }),
      { de: 'de' },
    ]);
    const { fields } = mapping.types.part;
    expect(Object.entries(fields).map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
      ...['title text', 'price number', 'stock integer', 'made date', 'seen dateTime', 'isNew boolean'],
      ...[
        'colour select',
        'tags text',
        'parent reference',
        'photo media',
        'code text',
        'note longText',
        'link url',
      ],
    ]);
    expect([fields.parent?.to, fields.tags?.separator]).toEqual(['part', '|']);
    const first = await again('parts.csv');
    expect([first.code, lost(first)]).toEqual([0, ['assets: dates and authors']]);
    expect([first.counts('entry'), first.counts('asset')]).toEqual([
      [6, 0, 0, 0, 0],
      [1, 0, 0, 0, 1],
    ]);
    const stored = await importedEntries(scene, 'part');
    const ref = (id: string) => ({ _ref: stored.get(id)?.id, _type: 'part' });
    expect(stored.get('a')).toMatchObject({
      status: 'published',
      fields: {
        title: 'Lock a',
        price: 0.5,
        stock: 0,
        made: '2020-01-01',
        seen: expect.stringMatching(/^2020-01-01T10:00:00/),
        isNew: true,
        colour: 'red',
        tags: ['x', 'y'],
        parent: ref('f'),
        photo: { _ref: expect.any(String), _type: 'MediaAsset' },
        code: '000',
        note: 'a "b"\nc',
        link: 'https://example.com/a',
      },
    });
    expect(stored.get('f')?.fields.parent).toEqual(ref('a'));
    const german = await importedEntries(scene, 'part', 'de');
    expect(german.get('a')?.fields.title).toBe('Schloss');
    const second = await again('parts.csv');
    expect([second.counts('entry'), second.counts('asset')]).toEqual([
      [0, 0, 6, 0, 0],
      [0, 0, 1, 0, 1],
    ]);
  });

  it('reads values of JSON Lines as they are, with lists, objects, links by external id and states', async () => {
    const { scene } = importing();
    const rows = [
      {
        id: 1,
        name: 'One',
        status: 'draft',
        slug: 'one',
        data: { a: [1] },
        words: ['x', 'y'],
        at: '2020-02-03T04:05:06Z',
        createdAt: '2001-01-01',
        author: 'Ada',
      },
      {
        id: 2,
        name: 'Two',
        status: 'published',
        next: { _external: '1', _type: 'part' },
        parent: 1,
        many: [
          { _external: '1', _type: 'part' },
          { _external: '9', _type: 'part' },
        ],
      },
    ];
    const outcome = await run('parts.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    expect([outcome.code, lost(outcome)]).toEqual([0, ['line 2 / : the link to part 9']]);
    const stored = await importedEntries(scene, 'part');
    const [one, two] = [stored.get('1'), stored.get('2')];
    const self = { _ref: one?.id, _type: 'part' };
    expect(one).toMatchObject({
      slug: 'one',
      status: 'draft',
      createdAt: '2001-01-01T00:00:00.000Z',
      createdBy: { name: 'Ada' },
      fields: { name: 'One', data: { a: [1] }, words: ['x', 'y'] },
    });
    expect(two).toMatchObject({ status: 'published', fields: { next: self, parent: self, many: [self] } });
    expect((await again('parts.jsonl')).counts('entry')).toEqual([0, 0, 2, 0, 1]);
  });

  it('reads columns as the edited mapping says', async () => {
    const { scene } = importing();
    const content = 'nr;body;rank;where\nr1;**bold**;7;de,at\nr2;;x;fr\n';
    const refused = await run('parts.csv', content);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('No column has external ids'),
    ]);
    await run('parts.csv', content, '--dry-run');
    const mapping = parse(await readFile(at('parts.mapping.yaml'), 'utf8')) as {
      columns: { id: string; published: boolean };
      types: { part: { fields: Record<string, object | null> } };
    };
    Object.assign(mapping.columns, { id: 'nr', published: false });
    Object.assign(mapping.types.part.fields, {
      nr: null,
      body: { apiName: 'text', kind: 'richText', required: false },
      rank: { apiName: 'rank', kind: 'integer', required: false },
      where: { apiName: 'countries', kind: 'text', required: false, separator: ',' },
    });
    await writeFile(at('parts.mapping.yaml'), stringify(mapping));
    const outcome = await again('parts.csv');
    expect([outcome.code, lost(outcome)]).toEqual([0, ['line 3 / rank: the value x']]);
    const stored = await importedEntries(scene, 'part');
    expect(stored.get('r1')).toMatchObject({ status: 'draft', fields: { rank: 7, countries: ['de', 'at'] } });
    expect(JSON.stringify(stored.get('r1')?.fields.text)).toContain('"type":"bold"');
  });

  it('lists bad and incomplete rows by their lines and imports the others', async () => {
    const { scene } = importing();
    const bytes = Buffer.concat([
      Buffer.from('id,title,file\n1,One,gone.png\n2,Two,gone.png,extra\n,Three,gone.png\n1,Again,gone.png\n'),
      Buffer.from([0x36, 0x2c, 0xe4, 0x2c, 0x0a]),
      Buffer.from('7,Seven,../../etc/passwd.png\n\n8,"open\n9,Nine,gone.png\n10,Ten\n'),
    ]);
    const outcome = await run('parts.csv', bytes);
    expect([outcome.code, lost(outcome)]).toEqual([
      0,
      [
        'line 2 / file: the file gone.png',
        'line 3: the row',
        'line 4: the row',
        'line 5: the row',
        'line 6: the row',
        'line 7 / file: the file ../../etc/passwd.png',
        'line 9: the row',
        'line 10 / file: the file gone.png',
        'line 11: the cells file',
      ],
    ]);
    const stored = await importedEntries(scene, 'part');
    expect([...stored].map(([id, { fields }]) => `${id} ${String(fields.title)}`).sort()).toEqual([
      '1 One',
      '10 Ten',
      '7 Seven',
      '9 Nine',
    ]);
  });

  it('continues a run that was stopped, and keeps its losses', async () => {
    const lines = Array.from({ length: 250 }, (_, index) =>
      JSON.stringify({
        id: `i${String(index)}`,
        n: index === 3 ? 'x' : index,
        to: { _external: `i${String(249 - index)}`, _type: 'part' },
      }),
    );
    await run('parts.jsonl', lines.join('\n'), '--dry-run');
    const mapping = parse(await readFile(at('parts.mapping.yaml'), 'utf8')) as {
      types: { part: { fields: Record<string, object> } };
    };
    Object.assign(mapping.types.part.fields, { n: { apiName: 'n', kind: 'integer', required: false } });
    await writeFile(at('parts.mapping.yaml'), stringify(mapping));
    const { scene } = importing();
    const stopped = await stoppedAfter(3, () => again('parts.jsonl'));
    expect(stopped.code).toBe(1);
    expect((await readFile(at('parts.progress'), 'utf8')).split('\n')).toContain('rows 1');
    const resumed = await again('parts.jsonl', '--resume');
    expect([resumed.code, lost(resumed)]).toEqual([0, ['line 4 / n: the value x']]);
    const stored = await importedEntries(scene, 'part');
    expect(stored.size).toBe(250);
    for (const [id, { fields }] of stored)
      expect(fields.to).toEqual({
        _ref: stored.get(`i${String(249 - Number(id.slice(1)))}`)?.id,
        _type: 'part',
      });
    expect((await again('parts.jsonl')).counts('entry')).toEqual([0, 0, 250, 0, 1]);
  });

  it.each([
    ['parts.csv', Buffer.from('\uFEFFid,a\n1,b\n', 'utf16le'), 'UTF-16'],
    ['parts.csv', Buffer.from('id,a\n1,\0\n'), 'UTF-16 or binary'],
    ['parts.csv', 'id,a,a\n1,2,3\n', 'two columns a'],
    ['parts.csv', '"id,a\n1,2\n', 'is not CSV'],
    ['parts.jsonl', '', 'No column has external ids'],
  ])('refuses %s with one line: case %#', async (name, content, reason) => {
    const { code, output } = await run(name, content);
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
  });

  it('makes no request to other servers for files, and has the service fetch URLs', async () => {
    const outcome = await run('parts.csv', 'id,photo\n1,https://127.0.0.1/a.png\n');
    expect([outcome.code, lost(outcome)]).toEqual([
      0,
      [
        'assets: dates and authors',
        'line 2 / photo: the file https://127.0.0.1/a.png',
        'line 2 /  / photo: the link to asset https://127.0.0.1/a.png',
      ],
    ]);
    expect(outcome.counts('asset').slice(0, 3)).toEqual([0, 0, 0]);
  });
});
