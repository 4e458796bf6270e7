import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { column, Desk, issues, outcome, useApp } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from './history.js';

verifies('entries/slugs-stored', 'entries/slugs-by-language');

const app = useApp();
let desk: Desk;

const slugField = { apiName: 'address', type: 'slug', settings: { sourceField: 'title' } };
const title = { apiName: 'title', type: 'text' };

beforeAll(async () => {
  desk = new Desk(app(), await createProject(app()));
  const type = (apiName: string, fields: object[], rest: object = {}) =>
    createType(app(), desk.project, { apiName, fields, ...rest });
  await type('post', [title, slugField]);
  await type('shared', [title, { ...slugField, localized: false }]);
  await type('plain', [title, { apiName: 'address', type: 'slug' }]);
  await type('part', [title, slugField], { isBlock: true });
  await type('whole', [title, { apiName: 'parts', type: 'blocks', settings: { contentTypes: ['part'] } }]);
});

const create = (fields: object, body: { slug?: string; locale?: string } = {}, contentTypeApiName = 'post') =>
  createEntry(app(), desk.project, { contentTypeApiName, fields: { ...fields }, ...body });

/** Slug and value of the slug field. */
const both = ({ slug, fields }: Pick<TestEntry, 'slug' | 'fields'>): unknown[] => [
  slug,
  fields.address ?? null,
];

describe('A slug field with a source', () => {
  it('has the slug that is made from the source, also in delivery, where it is filtered by', async () => {
    const entry = await create({ title: 'Made Here' });
    expect(both(entry)).toEqual(['made-here', 'made-here']);
    await publish(app(), desk.project, entry.id);
    const found = await send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/content/post?filter[address][eq]=made-here`,
    });
    expect(column(found, 'fields')).toEqual([{ title: 'Made Here', address: 'made-here' }]);
  });

  it('has the number of a slug that is taken', async () => {
    await create({ title: 'Taken' });
    expect(both(await create({ title: 'Taken' }))).toEqual(['taken-2', 'taken-2']);
  });

  it('has the slug that is given, unless a value is given as well', async () => {
    expect(both(await create({ title: 'Any' }, { slug: 'given' }))).toEqual(['given', 'given']);
    expect(both(await create({ title: 'Any', address: 'own' }))).toEqual(['own', 'own']);
    expect(both(await create({ title: 'Any', address: 'field' }, { slug: 'call' }))).toEqual([
      'call',
      'field',
    ]);
  });

  it('stays when the source changes, follows the slug, and is made again when it is cleared', async () => {
    const { id } = await create({ title: 'First' });
    await change(desk, id, { fields: { title: 'Second' } });
    expect(both(await now(desk, id))).toEqual(['first', 'first']);
    await change(desk, id, { slug: 'third' });
    expect(both(await now(desk, id))).toEqual(['third', 'third']);
    await change(desk, id, { fields: { address: null } });
    expect(both(await now(desk, id))).toEqual(['second', 'second']);
    await change(desk, id, { fields: { address: null } });
    expect(both(await now(desk, id))).toEqual(['second', 'second']);
    const { body } = await desk.get(`/entries/${id}/versions`);
    expect(column({ body } as never, 'changedFields').slice(0, 2)).toEqual([
      expect.arrayContaining(['address', '_slug']),
      expect.arrayContaining(['address', '_slug']),
    ]);
    expect(body.meta.total).toBe(4);
  });

  it('keeps a value of its own when the slug changes', async () => {
    const { id } = await create({ title: 'Any', address: 'value-of-its-own' }, { slug: 'first-slug' });
    await change(desk, id, { slug: 'other-slug' });
    expect(both(await now(desk, id))).toEqual(['other-slug', 'value-of-its-own']);
  });

  it('has the slug of each locale, as its language writes it', async () => {
    const { id } = await create({ title: 'Café Größe' });
    await change(desk, id, { locale: 'de', fields: { title: 'Größe über alles' } });
    expect(both(await now(desk, id))).toEqual(['cafe-grosse', 'cafe-grosse']);
    expect(both(await now(desk, id, '?locale=de'))).toEqual(['groesse-ueber-alles', 'groesse-ueber-alles']);
  });

  it('that locales share has the first slug, which the others take', async () => {
    const { id } = await create({ title: 'Shared Slug' }, {}, 'shared');
    await change(desk, id, { locale: 'de', fields: { title: 'Geteilt' } });
    expect(both(await now(desk, id, '?locale=de'))).toEqual(['shared-slug', 'shared-slug']);
    await change(desk, id, { locale: 'de', slug: 'geteilt' });
    expect(both(await now(desk, id, '?locale=de'))).toEqual(['geteilt', 'shared-slug']);
    expect(both(await now(desk, id))).toEqual(['shared-slug', 'shared-slug']);
  });

  it('follows the slug in copies, other locales and after a restore', async () => {
    const { id } = await create({ title: 'Source' });
    const copy = (await desk.post(`/entries/${id}/duplicate`, {})).body.data as TestEntry;
    expect(both(copy)).toEqual(['source-2', 'source-2']);
    await create({ title: 'Source' }, { locale: 'de' });
    await desk.post(`/entries/${id}/copy-locale`, { fromLocale: 'en', toLocale: 'de' });
    expect(both(await now(desk, id, '?locale=de'))).toEqual(['source-2', 'source-2']);
    await desk.delete(`/entries/${id}`);
    expect(both(await create({ title: 'Source' }))).toEqual(['source', 'source']);
    await desk.post(`/entries/${id}/undelete`, {});
    expect(both(await now(desk, id))).toEqual(['source-3', 'source-3']);
    const renamed = await create({ title: 'Renamed' });
    await change(desk, renamed.id, { slug: 'new-name' });
    await create({ title: 'Renamed' });
    await desk.post(`/entries/${renamed.id}/restore`, { versionNum: 1 });
    expect(both(await now(desk, renamed.id))).toEqual(['renamed-2', 'renamed-2']);
  });

  it('copied without its field to another locale has the slug there', async () => {
    const { id } = await create({ title: 'Only Title' });
    await desk.post(`/entries/${id}/copy-locale`, { fromLocale: 'en', toLocale: 'fr', fields: ['title'] });
    expect(both(await now(desk, id, '?locale=fr'))).toEqual(['only-title', 'only-title']);
  });

  it('has the slug in a batch; a block has no slug', async () => {
    const item = (text: string) => ({
      action: 'create',
      contentTypeApiName: 'post',
      siteId: desk.project.siteId,
      fields: { title: text },
    });
    const { body } = await desk.post('/entries/batch', { items: [item('In A Batch'), item('In A Batch')] });
    const ids = (body.data.results as { entryId: string }[]).map(({ entryId }) => entryId);
    expect(both(await now(desk, ids[0] ?? ''))).toEqual(['in-a-batch', 'in-a-batch']);
    expect(both(await now(desk, ids[1] ?? ''))).toEqual(['in-a-batch-2', 'in-a-batch-2']);
    const parts = [{ _type: 'part', fields: { title: 'Nested Part' } }];
    const whole = await create({ title: 'Whole', parts }, {}, 'whole');
    expect(whole.fields.parts).toMatchObject([{ _type: 'part', fields: { title: 'Nested Part' } }]);
    expect(JSON.stringify(whole.fields.parts)).not.toContain('address');
  });

  it('has none if the slug field has no source', async () => {
    expect(both(await create({ title: 'Plain' }, {}, 'plain'))).toEqual(['plain', null]);
  });

  it('without a value from before has the next slug', async () => {
    const plain = { apiName: 'address', type: 'slug' };
    await createType(app(), desk.project, { apiName: 'late', fields: [title, plain] });
    const { id } = await create({ title: 'Late' }, {}, 'late');
    await desk.put('/content-types/late/fields/address', { settings: { sourceField: 'title' } });
    await change(desk, id, { fields: { title: 'Later' } });
    expect(both(await now(desk, id))).toEqual(['late', null]);
    await change(desk, id, { slug: 'later' });
    expect(both(await now(desk, id))).toEqual(['later', 'later']);
  });
});

describe('A slug with an invisible or direction character', () => {
  it.each(['in\u200bvisible', 'right\u202eleft', 'soft\u00adhyphen', 'joined\u200d'])(
    'is 422: %j',
    async (slug) => {
      const { siteId } = desk.project;
      const refused = [
        [
          await desk.post('/entries', { contentTypeApiName: 'post', siteId, slug, fields: {} }),
          'slug',
          'custom',
        ],
        [
          await desk.post('/entries', { contentTypeApiName: 'post', siteId, fields: { address: slug } }),
          'fields.address',
          'invalid_format',
        ],
        [await desk.post('/tree/nodes', { type: 'folder', siteId, name: 'Folder', slug }), 'slug', 'custom'],
      ] as const;
      for (const [response, path, code] of refused)
        expect([outcome(response), issues(response)]).toEqual([[422, 'validation_failed'], [[path, code]]]);
    },
  );

  it('is never made', async () => {
    expect(both(await create({ title: 'In\u200bvisible \u202eText' }))[0]).toBe('invisible-text');
  });
});
