import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { packTar, type TarEntry } from 'modern-tar';
import { useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import { strapiArchive, strapiLink, strapiPart } from '../support/strapi-export.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

async function run(archive: Uint8Array, name: string): Promise<ImportOutcome> {
  const { folder, scene } = importing();
  await writeFile(path.join(folder, name), archive);
  return importExport(scene, 'strapi', path.join(folder, name));
}

const compressed = async (): Promise<Uint8Array> => gzipSync(await strapiArchive());
const unpacked = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`headwater-export-${String(process.pid)}-`));

describe('An import from a damaged export of Strapi', () => {
  const outside: TarEntry = { header: { name: '../out.txt', size: 1, type: 'file' }, body: 'x' };
  const linked: TarEntry = { header: { name: 'schemas', size: 0, type: 'symlink', linkname: '/etc' } };
  const bomb: TarEntry = {
    header: { name: 'entities/entities_00001.jsonl', size: 100_000_000, type: 'file' },
    body: Buffer.alloc(100_000_000),
  };

  it.each<[what: string, name: string, archive: () => Promise<Uint8Array>, reason: string]>([
    ['that is encrypted', 'shop.tar.gz.enc', () => compressed(), 'is encrypted. Export with'],
    ['that is truncated', 'shop.tar.gz', async () => (await compressed()).subarray(0, -60), 'damaged'],
    [
      'without compression that is truncated',
      'shop.tar',
      async () => (await strapiArchive()).subarray(0, 9000),
      'damaged',
    ],
    ['with a path outside', 'shop.tar', () => packTar([outside]), 'is outside the archive'],
    ['with a link', 'shop.tar', () => packTar([linked]), 'is a link or device'],
    ['that is a bomb', 'shop.tar.gz', async () => gzipSync(await packTar([bomb])), 'less than 1/200'],
    ['without schemas', 'shop.tar', () => strapiArchive({ 'metadata.json': '{}' }), 'has no folder schemas'],
  ])('refuses an archive %s in one line', async (_, name, archive, reason) => {
    const before = await unpacked();
    const { code, output } = await run(await archive(), name);
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    expect(await unpacked()).toEqual(before);
    expect(await readdir(importing().folder)).toEqual([name]);
  });

  it('keeps what is well-formed of schemas, rows and components that are not', async () => {
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;
    const nested = (levels: number): object =>
      levels === 0 ? {} : { id: levels, self: [nested(levels - 1)], label: 'x' };
    const archive = await strapiArchive({
      ...strapiPart('schemas', [
        {
          uid: 'api::note.note',
          modelType: 'contentType',
          attributes: {
            title: { type: 'string', default: 'x'.repeat(600) },
            facts: { type: 'json' },
            tree: { type: 'component', component: 'loop.loop' },
            parts: { type: 'component', component: 'lost.lost', repeatable: true },
            name: { type: 'string', regex: '(a+)+$(?<=x)' },
            bad: null,
          },
        },
        {
          uid: 'loop.loop',
          modelType: 'component',
          attributes: {
            label: { type: 'string' },
            self: { type: 'component', component: 'loop.loop', repeatable: true },
          },
        },
        { uid: 7 },
      ]),
      ...strapiPart('entities', [
        {
          type: 'api::note.note',
          id: 1,
          data: { title: 'Kept', facts: deep, tree: nested(15), parts: [{}] },
        },
        { type: 'api::note.note', id: 1, data: { title: 'Again' } },
        { type: 'api::note.note', id: 2, data: 'text' },
        { type: 'api::note.note', id: {}, data: {} },
      ]),
      ...strapiPart('links', [strapiLink(['api::note.note', 1, 'localizations'], ['api::note.note', 1])]),
    });
    const outcome = await run(archive, 'odd.tar');
    expect([outcome.code, outcome.counts('entry')[0]]).toEqual([0, 1]);
    const inner = 'self.'.repeat(10).slice(0, -1);
    expect(outcome.losses.map(({ where, what }) => `${where}: ${what}`).sort()).toEqual([
      'api::note.note 1 / en / facts: the value',
      'api::note.note 1 / en / parts: the component lost.lost',
      `api::note.note 1 / en / tree.${inner}: the component loop.loop`,
      'api::note.note.bad: the kind',
      'api::note.note.name: pattern: the rule',
      'api::note.note.parts: a component',
      'api::note.note.title: defaultValue: the rule',
      'entities/entities_00001.jsonl, line 2: the entry',
      'entities/entities_00001.jsonl, line 3: the entry',
      'entities/entities_00001.jsonl, line 4: the entry',
      'schemas/schemas_00001.jsonl, line 3: the schema',
      'users: authors',
    ]);
    expect((await importedEntries(importing().scene, 'note')).get('1')?.fields).toMatchObject({
      title: 'Kept',
    });
  });
});
