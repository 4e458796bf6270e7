import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, stoppedAfter, useImports, whats } from '../support/export-import.js';
import { strapiArchive, strapiLink, strapiPart } from '../support/strapi-export.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

/** More than two batches. */
const COUNT = 250;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const idOf = (index: number): string => `n${String(index).padStart(3, '0')}`;

/** Each entry links another; the last ones link the first. */
const targetOf = (index: number): number => (index + 100) % COUNT;

async function markdown(place: string): Promise<void> {
  await mkdir(path.join(place, 'content', 'docs'), { recursive: true });
  for (const index of numbers)
    await writeFile(
      path.join(place, 'content', 'docs', `${idOf(index)}.md`),
      `---\ntitle: ${idOf(index)}\n---\nSee [next](${idOf(targetOf(index))}.md)`,
    );
}

async function sanity(place: string): Promise<void> {
  const documents = numbers.map((index) => ({
    _id: idOf(index),
    _type: 'docs',
    title: idOf(index),
    next: { _type: 'reference', _ref: idOf(targetOf(index)) },
  }));
  await mkdir(place);
  await writeFile(path.join(place, 'data.ndjson'), documents.map((one) => JSON.stringify(one)).join('\n'));
}

async function strapi(place: string): Promise<void> {
  const type = 'api::docs.docs';
  const archive = await strapiArchive({
    ...strapiPart('schemas', [
      {
        uid: type,
        modelType: 'contentType',
        attributes: {
          title: { type: 'string' },
          next: { type: 'relation', relation: 'oneToOne', target: type },
        },
      },
    ]),
    ...strapiPart(
      'entities',
      numbers.map((index) => ({ type, id: index, data: { documentId: idOf(index), title: idOf(index) } })),
    ),
    ...strapiPart(
      'links',
      numbers.map((index) => strapiLink([type, index, 'next'], [type, targetOf(index)])),
    ),
  });
  await writeFile(place, archive);
}

const wordpress = (place: string): Promise<void> =>
  writeFile(
    place,
    `<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
    <channel><language>en</language>${numbers
      .map(
        (index) => `<item><title>${idOf(index)}</title><link>https://old.example/${idOf(index)}</link>
        <wp:post_id>${idOf(index)}</wp:post_id><wp:post_type>docs</wp:post_type><wp:status>publish</wp:status>
        <content:encoded>&lt;a href="https://old.example/${idOf(targetOf(index))}">next&lt;/a></content:encoded></item>`,
      )
      .join('')}</channel></rss>`,
  );

const systems = {
  markdown: [markdown, 'site.folder'],
  sanity: [sanity, 'data.set'],
  strapi: [strapi, 'shop.tar'],
  wordpress: [wordpress, 'site.xml'],
} as const;

describe('An import that stops in the middle', () => {
  it.each(['markdown', 'sanity', 'strapi', 'wordpress'] as const)(
    'changes nothing in a dry run, and continues with --resume until everything is there: %s',
    async (system) => {
      const { folder, scene } = importing();
      const [write, name] = systems[system];
      const place = path.join(folder, name);
      const progress = path.join(folder, name.replace(/\.[a-z]+$/, '.progress'));
      await write(place);
      const run = (...options: string[]) => importExport(scene, system, place, ...options);
      const dry = await run('--dry-run');
      expect([dry.code, dry.counts('entry')[0], dry.output]).toEqual([
        0,
        COUNT,
        expect.stringContaining('Nothing was changed.'),
      ]);
      const desk = new Desk(app(), scene.project);
      expect((await desk.get('/content-types')).body).toMatchObject({ data: [] });
      await expect(readFile(progress)).rejects.toThrow('ENOENT');

      const failed = await stoppedAfter(0, () => run());
      expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('invalid_session')]);
      await expect(readFile(progress)).rejects.toThrow('ENOENT');
      for (const count of [100, 200]) {
        expect((await stoppedAfter(1, () => run('--resume'))).code).toBe(1);
        expect((await importedEntries(scene, 'docs')).size).toBe(count);
      }
      const done = (await readFile(progress, 'utf8')).split('\n').length - 2;
      const resumed = await run('--resume');
      const [made, changed, same] = resumed.counts('entry');
      expect([resumed.code, made, (changed ?? 0) + (same ?? 0), whats(resumed, 'entry')]).toEqual([
        0,
        50,
        200 - done,
        [],
      ]);
      const stored = await importedEntries(scene, 'docs');
      expect(stored.size).toBe(COUNT);
      const prefix = system === 'markdown' ? 'docs/' : '';
      for (const index of numbers) {
        const { fields } = stored.get(prefix + idOf(index)) ?? {};
        expect(fields?.title).toBe(idOf(index));
        const target = stored.get(prefix + idOf(targetOf(index)))?.id ?? 'none';
        expect(JSON.stringify(fields)).toContain(target);
      }
      await expect(readFile(progress)).rejects.toThrow('ENOENT');
      expect((await run()).counts('entry').slice(0, 3)).toEqual([0, 0, COUNT]);
    },
  );

  it('starts over without --resume after the export was changed', async () => {
    const { folder, scene } = importing();
    const place = path.join(folder, 'data.set');
    await sanity(place);
    await stoppedAfter(1, () => importExport(scene, 'sanity', place));
    await writeFile(path.join(place, 'data.ndjson'), JSON.stringify({ _id: 'x', _type: 'docs', title: 'X' }));
    const refused = await importExport(scene, 'sanity', place, '--resume');
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('Run the command without --resume to start over.'),
    ]);
    await rm(path.join(folder, 'data.mapping.yaml'), { force: true });
    expect((await importExport(scene, 'sanity', place)).counts('entry')[0]).toBe(1);
    await expect(readFile(path.join(folder, 'data.progress'))).rejects.toThrow('ENOENT');
  });
});
