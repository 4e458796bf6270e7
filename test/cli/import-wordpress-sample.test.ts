import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, sampleExport, useImports } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);
const sample = sampleExport('wordpress/theme-unit-test-data.xml');
const testWithSample = sample.skipReason === '' ? test : test.skip;

/** Values of an item of the file by name, and its categories. */
interface Item {
  readonly values: Map<string, string>;
  readonly terms: { domain: string; nicename: string }[];
}

/** Items, categories and tags as they are in the file, read apart from the importer. */
function itemsOf(xml: string): { items: Item[]; terms: Set<string> } {
  const items: Item[] = [];
  const terms = new Set<string>();
  const parser = new SaxesParser();
  const open: string[] = [];
  let text = '';
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    text = '';
    if (name === 'item') items.push({ values: new Map(), terms: [] });
    const { domain = '', nicename = '' } = attributes;
    if (name === 'category' && open.at(-2) === 'item') items.at(-1)?.terms.push({ domain, nicename });
    if (name === 'category' && ['category', 'post_tag'].includes(domain)) terms.add(`${domain} ${nicename}`);
  });
  const add = (more: string): void => {
    text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (open.at(-1) === 'item') items.at(-1)?.values.set(name, text.trim());
    if (name === 'wp:category_nicename') terms.add(`category ${text.trim()}`);
    if (name === 'wp:tag_slug') terms.add(`post_tag ${text.trim()}`);
  });
  parser.write(xml).close();
  return { items, terms };
}

const isoOf = (time: string | undefined): string => `${time?.replace(' ', 'T') ?? ''}.000Z`;

describe('The sample of WordPress', () => {
  testWithSample(
    `arrives with its texts, terms, tree, states, dates and addresses${sample.skipReason}`,
    async () => {
      const { folder, scene } = importing();
      const file = path.join(folder, 'site.xml');
      await copyFile(sample.file, file);
      const { items, terms } = itemsOf(await readFile(file, 'utf8'));
      const of = (type: string) => items.filter(({ values }) => values.get('wp:post_type') === type);
      const first = await importExport(scene, 'wordpress', file);
      expect(first.code).toBe(0);
      const [posts, pages] = [await importedEntries(scene, 'post'), await importedEntries(scene, 'page')];
      const [categories, tags] = [
        await importedEntries(scene, 'category'),
        await importedEntries(scene, 'tag'),
      ];
      expect([posts.size, pages.size]).toEqual([58, 21]);
      expect(
        [...categories.keys()]
          .map((key) => `category ${key}`)
          .concat([...tags.keys()].map((key) => `post_tag ${key}`))
          .sort(),
      ).toEqual([...terms].sort());
      expect(first.counts('entry').slice(0, 3)).toEqual([58 + 21 + terms.size, 0, 0]);
      const drafts = new Set(['1153', '1164', '1168']);
      for (const { values, terms: own } of [...of('post'), ...of('page')]) {
        const [id = '', type = ''] = [values.get('wp:post_id'), values.get('wp:post_type')];
        const entry = (type === 'post' ? posts : pages).get(id);
        expect([id, entry?.status]).toEqual([id, drafts.has(id) ? 'draft' : 'published']);
        const title = values.get('title') ?? '';
        if (!/[<&]/.test(title)) expect(entry?.fields.title ?? '').toBe(title);
        const slug = decodeURIComponent(values.get('wp:post_name') ?? '');
        if (slug !== '') expect(entry?.slug).toBe(slug);
        if (id !== '1153') expect(entry?.createdAt).toBe(isoOf(values.get('wp:post_date_gmt')));
        if (!drafts.has(id))
          expect(entry?.locales[0]?.publishedAt).toBe(isoOf(values.get('wp:post_date_gmt')));
        const refs = (name: string) =>
          ((entry?.fields[name] ?? []) as { _ref: string }[]).map(({ _ref }) => _ref).sort();
        const named = (domain: string, list: ReadonlyMap<string, { id: string }>) =>
          [
            ...new Set(
              own.filter((term) => term.domain === domain).map(({ nicename }) => list.get(nicename)?.id),
            ),
          ].sort();
        if (type === 'post')
          expect([refs('categories'), refs('tags')]).toEqual([
            named('category', categories),
            named('post_tag', tags),
          ]);
        const parent = values.get('wp:post_parent') ?? '0';
        if (type === 'page')
          expect(entry?.treeParentId ?? null).toBe(
            parent === '0' ? null : (pages.get(parent)?.treeNodeId ?? ''),
          );
        const body = values.get('content:encoded') ?? '';
        const plain = [...body.matchAll(/<p>([^<>&[\]]{8,})<\/p>/g)].map(([, words = '']) =>
          words.trim().replaceAll(/\s+/g, ' '),
        );
        const stored = JSON.stringify(entry?.fields.body ?? null);
        for (const words of plain) expect(stored).toContain(JSON.stringify(words).slice(1, -1));
      }
      const desk = new Desk(app(), scene.project);
      const { data } = (await desk.get('/redirects?limit=100&orderBy=source:asc')).body as {
        data: { source: string; target: string }[];
      };
      expect(data.length).toBe(first.counts('redirect')[0]);
      expect(data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ source: '/2012/03/15/template-more-tag', target: '/template-more-tag' }),
        ]),
      );
      const lost = (pattern: RegExp) =>
        first.losses.filter(({ where, what }) => pattern.test(`${where}: ${what}`)).length;
      expect(lost(/^attachment \d+: the file/)).toBe(37);
      expect(lost(/nav_menu_item \d+: the item/)).toBe(70);
      expect(lost(/comment \d+: the comment/)).toBe(33);
      expect(lost(/^post 1168: the password/)).toBe(1);
      expect(lost(/^post 1153: the status future/)).toBe(1);
      const second = await importExport(scene, 'wordpress', file);
      expect([second.counts('entry').slice(0, 3), second.counts('redirect').slice(0, 3)]).toEqual([
        [0, 0, 58 + 21 + terms.size],
        [0, 0, data.length],
      ]);
      expect(second.losses).toEqual(first.losses);
      expect(await importedEntries(scene, 'post')).toEqual(posts);
    },
  );
});
