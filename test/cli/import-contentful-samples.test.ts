import { createHash } from 'node:crypto';
import { copyFile, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useApp } from '../support/desk.js';
import { importExport, importedEntries, sampleExport, useImports } from '../support/export-import.js';
import type { TestAsset } from '../support/factories/media.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);
const simple = sampleExport('contentful/simple/sample-space.json');
const withAssets = sampleExport('contentful/with-assets/space-with-downloaded-assets.json');
const testWith = ({ skipReason }: typeof simple) => (skipReason === '' ? test : test.skip);

interface Link {
  readonly sys: { readonly id: string; readonly linkType?: string };
}

interface SourceEntry {
  readonly sys: Readonly<Record<'id' | 'createdAt' | 'updatedAt' | 'publishedAt', string>> & {
    readonly contentType: Link;
    readonly createdBy: Link;
  };
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Space {
  readonly contentTypes: readonly {
    readonly sys: { readonly id: string };
    readonly fields: readonly { readonly id: string }[];
  }[];
  readonly entries: readonly SourceEntry[];
  readonly assets: readonly {
    readonly sys: { readonly id: string };
    readonly fields: {
      readonly title: Record<string, string>;
      readonly description: Record<string, string>;
      readonly file: Record<string, { readonly url: string }>;
    };
  }[];
}

const spaceIn = async (file: string): Promise<Space> => JSON.parse(await readFile(file, 'utf8')) as Space;

/** Every entry by its id in the space. */
async function imported({ contentTypes }: Space) {
  const lists = await Promise.all(contentTypes.map(({ sys }) => importedEntries(importing().scene, sys.id)));
  return new Map(lists.flatMap((list) => [...list]));
}

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'sys');

/** What a field is expected to have. @param ids of entries and assets by those of the space */
function expected(value: unknown, ids: ReadonlyMap<string, object>): unknown {
  if (isLink(value)) return ids.get(value.sys.id);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]/.test(value)
    ? value.replace(/([+-]\d\d:\d\d)$/, ':00$1')
    : value;
}

async function assets(): Promise<Map<string, TestAsset & { title: string; description: string }>> {
  const { body } = await app()
    .request.get(`${importing().scene.project.management}/media`)
    .set('authorization', `Bearer ${importing().scene.project.keys.management}`)
    .query({ limit: 100, locale: 'en-US' });
  const { data } = body as { data: (TestAsset & { title: string; description: string })[] };
  return new Map(data.map((asset) => [asset.tags.find((tag) => tag.startsWith('contentful:')) ?? '', asset]));
}

/** Compares every entry with the space. */
async function expectEntries(space: Space, stored: ReadonlyMap<string, object>): Promise<void> {
  const found = await imported(space);
  const links = [...found].map(
    ([id, entry]) => [id, { _ref: entry.id, _type: entry.contentTypeApiName }] as const,
  );
  const ids = new Map<string, object>([...stored, ...links]);
  for (const { sys, fields } of space.entries) {
    const entry = found.get(sys.id);
    const values = Object.entries(fields).map(
      ([name, value]) => [name, expected(value['en-US'], ids)] as const,
    );
    const given = values.filter(([, value]) => value !== undefined);
    expect(entry?.fields).toEqual(Object.fromEntries(given));
    expect(entry).toMatchObject({
      contentTypeApiName: sys.contentType.sys.id,
      status: 'published',
      createdAt: sys.createdAt,
      updatedAt: sys.updatedAt,
      createdBy: { name: sys.createdBy.sys.id },
    });
    expect(entry?.locales.map(({ publishedAt }) => publishedAt)).toEqual([sys.publishedAt]);
    const slug = fields.slug?.['en-US'];
    if (slug !== undefined) expect(entry?.slug).toBe(slug);
  }
  expect([...found.keys()].sort()).toEqual(space.entries.map(({ sys }) => sys.id).sort());
}

describe('The samples of Contentful', () => {
  testWith(simple)(
    `A space arrives with its values, links, states and dates, and a second run changes nothing${simple.skipReason}`,
    async () => {
      const file = path.join(importing().folder, 'space.json');
      await copyFile(simple.file, file);
      const space = await spaceIn(file);
      const { code, losses, counts } = await importExport(importing().scene, 'contentful', file);
      expect(code).toBe(0);
      expect(['locale', 'type', 'field', 'entry'].map((kind) => counts(kind)[0])).toEqual([2, 3, 19, 5]);
      await expectEntries(space, new Map());
      expect(
        [...(await importedEntries(importing().scene, 'tag')).values()].map(({ fields }) => fields),
      ).toEqual([{ name: 'othertag' }]);
      const lostFiles = space.assets.map(({ sys, fields }) => [
        `asset ${sys.id}`,
        `the file ${fields.file['en-US']?.url ?? ''}`,
      ]);
      const of = (kind: string) =>
        losses.filter((loss) => loss.kind === kind).map(({ where, what }) => [where, what]);
      expect(of('asset')).toEqual(lostFiles);
      expect(
        of('entry')
          .map(([, what]) => what)
          .sort(),
      ).toEqual(space.assets.map(({ sys }) => `the link to asset ${sys.id}`).sort());
      expect(of('field')).toEqual([['blogPost.heroImage', 'required']]);
      expect(of('other').length).toBe(7 + 1 + 2 + 1);
      const before = await imported(space);
      const second = await importExport(importing().scene, 'contentful', file);
      expect(['locale', 'type', 'field', 'entry'].map((kind) => second.counts(kind).slice(0, 3))).toEqual([
        [0, 0, 2],
        [0, 0, 3],
        [0, 0, 19],
        [0, 0, 5],
      ]);
      expect(second.losses).toEqual(losses);
      expect(await imported(space)).toEqual(before);
    },
  );

  testWith(withAssets)(
    `A space with downloaded files arrives with them, also where two are equal${withAssets.skipReason}`,
    async () => {
      await cp(path.dirname(withAssets.file), importing().folder, { recursive: true });
      const file = path.join(importing().folder, path.basename(withAssets.file));
      const space = await spaceIn(file);
      const { code, counts } = await importExport(importing().scene, 'contentful', file);
      expect([code, counts('asset').slice(0, 3), counts('entry').slice(0, 3)]).toEqual([
        0,
        [2, 0, 0],
        [2, 0, 0],
      ]);
      const stored = await assets();
      for (const { sys, fields } of space.assets) {
        const bytes = await readFile(path.join(importing().folder, fields.file['en-US']?.url ?? ''));
        expect(stored.get(`contentful:${sys.id}`)).toMatchObject({
          title: fields.title['en-US'],
          description: fields.description['en-US'],
          altText: fields.description['en-US'],
          sourceChecksum: createHash('sha256').update(bytes).digest('hex'),
        });
      }
      const links = [...stored].map(
        ([tag, { id }]) => [tag.replace('contentful:', ''), { _ref: id, _type: 'MediaAsset' }] as const,
      );
      await expectEntries(space, new Map(links));
      const second = await importExport(importing().scene, 'contentful', file);
      expect([second.counts('asset').slice(0, 3), second.counts('entry').slice(0, 3)]).toEqual([
        [0, 0, 2],
        [0, 0, 2],
      ]);
      expect(await assets()).toEqual(stored);
    },
  );
});
