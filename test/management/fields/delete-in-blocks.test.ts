import { beforeEach, describe, expect, it } from '@jest/globals';
import { outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { expectConsistent } from '../../support/consistency.js';
import { verifies } from '../../support/verifies.js';
import {
  first,
  lookalike,
  need,
  newPage,
  openPages,
  publishedBlocks,
  publishedPage,
  readPage,
  writePage,
} from './own-blocks.js';

const app = useOwnApp();
let desk: Desk;

beforeEach(async () => {
  desk = await openPages(app());
});

const remove = (type: string, field: string, force = false) =>
  desk.delete(`/content-types/${type}/fields/${field}${force ? '?force=true' : ''}`);

interface WrittenField {
  readonly settings?: { readonly contentTypes?: readonly string[] };
}

interface WrittenType {
  readonly apiName: string;
  readonly fields: readonly WrittenField[];
}

/** Fields that take cards only take any block. */
function withoutCards(field: WrittenField): WrittenField {
  const names = field.settings?.contentTypes?.filter((name) => name !== 'card');
  if (names === undefined) return field;
  const { contentTypes: _cards, ...settings } = field.settings ?? {};
  return { ...field, settings: names.length === 0 ? settings : { ...settings, contentTypes: names } };
}

const statuses = async (id: string) => (await readPage(desk, id)).locales.map(({ status }) => status);

describe('the deletion of a field of a block type', () => {
  verifies('content/types-in-use');

  it.each(['heading', 'tone'])('returns 409 while own blocks have a value of %s', async (name) => {
    const { id } = await publishedPage(desk);
    await newPage(desk, { title: 'Without blocks' });
    const answer = await remove('card', name);
    expect([outcome(answer), answer.body.details]).toEqual([[409, 'field_in_use'], { entryCount: 1 }]);
    const { fields } = await readPage(desk, id);
    expect(first(fields, 'parts').fields).toHaveProperty(name);
  });

  it('counts values of published blocks whose draft has none', async () => {
    const made = await newPage(desk, { parts: [{ _type: 'card', fields: { heading: 'H' } }] });
    await publish(app(), desk.project, made.id);
    await writePage(desk, made.id, { version: 1, fields: { parts: [] } });
    expect(outcome(await remove('card', 'heading'))).toEqual([409, 'field_in_use']);
    expect((await remove('card', 'tone')).status).toBe(200);
  });

  it('removes the values with force on all levels, published ones included, and changes no status', async () => {
    const { id, ids } = await publishedPage(desk);
    for (const name of ['heading', 'tone']) expect((await remove('card', name, true)).status).toBe(200);
    expect(await statuses(id)).toEqual(['published', 'published']);
    for (const locale of ['en', 'de']) {
      const { fields } = await readPage(desk, id, locale);
      expect(first(fields, 'parts').fields).toEqual({ data: lookalike });
      const section = first(fields, 'body').fields;
      expect(section.title).toBe(locale === 'en' ? 'Section' : 'Abschnitt');
      expect(first(section, 'cards').fields).toEqual({ data: lookalike });
      expect((await publishedBlocks(desk, id, locale))[ids.card]?.fields).toEqual({
        author: null,
        data: lookalike,
      });
    }
    await expectConsistent(app(), desk.project);
  });
});

describe('the deletion of the only localized field of a block type', () => {
  it('leaves no localized values under the blocks field, and translations without it', async () => {
    const made = await newPage(desk, { body: [{ _type: 'card', fields: { heading: 'H', tone: 't' } }] });
    const part = { _ref: first(made.fields, 'body')._ref, fields: { heading: 'K' } };
    await writePage(desk, made.id, { version: 1, locale: 'de', fields: { title: 'Seite', body: [part] } });
    await remove('card', 'heading', true);
    const rows = await app().rows(
      desk.project.tenantId,
      'SELECT locale, fields FROM entry_locales WHERE entry_id = $1 ORDER BY locale',
      [made.id],
    );
    expect(rows).toEqual([
      { locale: 'de', fields: { title: 'Seite' } },
      { locale: 'en', fields: {} },
    ]);
    await expectConsistent(app(), desk.project);
  });
});

describe('the deletion of a blocks field', () => {
  verifies('content/types-in-use');

  it.each([
    ['page', 'body', ['part']],
    ['section', 'cards', ['section', 'extra', 'part']],
    ['section', 'extras', ['section', 'card', 'part']],
    ['page', 'parts', ['section', 'card', 'extra']],
  ] as const)('of %s.%s removes its blocks with force', async (type, field, kept) => {
    const { id, ids } = await publishedPage(desk);
    expect(outcome(await remove(type, field))).toEqual([409, 'field_in_use']);
    expect((await remove(type, field, true)).status).toBe(200);
    expect(await statuses(id)).toEqual(['published', 'published']);
    const blocks = Object.keys(await publishedBlocks(desk, id));
    expect(blocks.toSorted()).toEqual(kept.map((name) => ids[name]).toSorted());
    await expectConsistent(app(), desk.project);
  });

  it('drops the links of the blocks that it removes, and no others', async () => {
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'A' },
    });
    await publish(app(), desk.project, author.id);
    const by = { _type: 'card', fields: { heading: 'By', author: { _ref: author.id } } };
    const made = await newPage(desk, { body: [{ _type: 'section', fields: { cards: [by] } }], parts: [by] });
    await publish(app(), desk.project, made.id);
    const links = () =>
      app().rows(desk.project.tenantId, 'SELECT 1 FROM entry_links WHERE entry_id = $1', [made.id]);
    await remove('page', 'parts', true);
    expect(await links()).toHaveLength(1);
    await remove('section', 'cards', true);
    expect(await links()).toEqual([]);
    await expectConsistent(app(), desk.project);
  });
});

describe('the deletion of a block type', () => {
  verifies('content/types-in-use');

  it('returns 409 while drafts or published documents have own blocks of it, and counts them', async () => {
    const { id } = await publishedPage(desk);
    const report = await need<object>(desk, 'GET', '/content-types/card/delete-check');
    expect(report).toMatchObject({
      canDelete: false,
      entryCount: 0,
      ownedBlockCount: 4,
      blockers: ['has_owned_blocks'],
    });
    const answer = await desk.delete('/content-types/card');
    expect([outcome(answer), answer.body.details]).toEqual([[409, 'content_type_in_use'], report]);
    const { version } = await writePage(desk, id, { version: 2, fields: { body: [], parts: [] } });
    expect(outcome(await desk.delete('/content-types/card'))).toEqual([409, 'content_type_in_use']);
    await writePage(desk, id, { version, locale: 'de', fields: { body: [], parts: [] } });
    for (const locale of ['en', 'de']) await publish(app(), desk.project, id, locale);
    expect((await desk.delete('/content-types/card')).status).toBe(200);
  });

  it('is a blocker in the plan of a schema, and refused when it is applied', async () => {
    const { id } = await publishedPage(desk);
    const before = await readPage(desk, id);
    const { schema } = await need<{ schema: { contentTypes: WrittenType[] } }>(desk, 'GET', '/schema/export');
    const contentTypes = schema.contentTypes
      .filter(({ apiName }) => apiName !== 'card')
      .map((type) => ({ ...type, fields: type.fields.map(withoutCards) }));
    const body = { schema: { ...schema, contentTypes } };
    const { steps } = await need<{ steps: { name: string; action: string; blocker: unknown }[] }>(
      desk,
      'POST',
      '/schema/plan',
      body,
    );
    expect(steps.find(({ name, action }) => name === 'card' && action === 'delete')?.blocker).toEqual(
      expect.objectContaining({ code: 'content_type_in_use' }),
    );
    const applied = await desk.post('/schema/apply', { ...body, allowDestructive: true });
    expect(outcome(applied)).toEqual([409, 'content_type_in_use']);
    expect(await readPage(desk, id)).toEqual(before);
  });

  it('leaves the versions that had its blocks readable', async () => {
    const made = await newPage(desk, {
      title: 'T',
      parts: [{ _type: 'card', fields: { heading: 'H' } }],
    });
    await writePage(desk, made.id, { version: 1, fields: { parts: [] } });
    expect((await desk.delete('/content-types/card')).status).toBe(200);
    const restored = await need(desk, 'POST', `/entries/${made.id}/restore`, { versionNum: 1 });
    expect(restored).toMatchObject({ fields: { title: 'T', parts: [] } });
  });
});
