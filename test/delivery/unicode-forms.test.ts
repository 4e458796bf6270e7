import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { column, Desk, issues, outcome, useOwnApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { report, table } from '../management/custom-reports/desk.js';
import { find, indexAll } from '../management/search/scene.js';

verifies('delivery/filters', 'delivery/filters-indexed', 'lists/text');

const app = useOwnApp();
let desk: Desk;
const ids: Record<string, string> = {};

/** Each character in its longest form, and in its shortest. */
const longForm = (text: string): string => text.normalize('NFD');
const shortForm = (text: string): string => text.normalize('NFC');
const forms = {
  NFC: shortForm,
  NFD: longForm,
  both: (text: string) => longForm(text.slice(0, 5)) + shortForm(text.slice(5)),
};
const formNames = ['NFC', 'NFD', 'both'] as const;

/** Above what the index of values compares. */
const padding = 'x'.repeat(1200);

const create = async (name: string, fields: Record<string, unknown>): Promise<string> => {
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'place', fields });
  ids[name] = id;
  return id;
};

beforeAll(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en'] }));
  await createType(app(), desk.project, {
    apiName: 'place',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'tags', type: 'text', isList: true },
      { apiName: 'notes', type: 'longText' },
      { apiName: 'kind', type: 'select', settings: { options: [{ value: longForm('Café') }] } },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    ],
  });
  for (const [name, form] of Object.entries(forms)) {
    const id = await create(name, {
      title: form('Café Éclair'),
      tags: [form('Crème'), 'plain'],
      notes: `${form('Café Éclair')} ${padding}`,
    });
    await publish(app(), desk.project, id);
  }
  await publish(app(), desk.project, await create('kind', { title: 'kind', kind: longForm('Café') }));
  await publish(app(), desk.project, await create('plain', { title: 'Cafe Eclair', tags: ['Creme'] }));
  await indexAll(app());
});

const named = (found: unknown[]): string =>
  found.map((id) => Object.keys(ids).find((name) => ids[name] === id) ?? '').join(' ');

async function founds(query: string): Promise<Record<string, string>> {
  const list = (key?: string) =>
    send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/content/place?orderBy=createdAt:asc&${query}`,
      key,
    });
  const site = await send(app(), {
    method: 'GET',
    path: `${desk.project.delivery}/search?contentTypeApiName=place&sort=createdAt:asc&${query}`,
  });
  const drafts = await find(desk, `contentTypeApiName=place&sort=createdAt:asc&${query}`);
  const entries = ({ body }: { body: { data: { entry: { _id: string } }[] } }) =>
    body.data.map(({ entry }) => entry._id);
  return {
    delivery: named(column(await list(), '_id')),
    preview: named(column(await list(desk.project.keys.preview), '_id')),
    search: named(entries(site)),
    drafts: named(column(drafts, 'entryId')),
  };
}
const everywhere = (found: string) => ({ delivery: found, preview: found, search: found, drafts: found });

describe('A filter of text', () => {
  const of = (form: string): string => encodeURIComponent(longForm(form));

  it.each([
    [`filter[title][eq]=`, 'Café Éclair', 'NFC NFD both'],
    [`filter[title][ne]=`, 'Café Éclair', 'kind plain'],
    [`filter[title][in]=x,`, 'Café Éclair', 'NFC NFD both'],
    [`filter[title][nin]=x,`, 'Café Éclair', 'kind plain'],
    [`filter[title][contains]=`, 'é é', 'NFC NFD both'],
    [`filter[title][contains]=`, 'FÉ', 'NFC NFD both'],
    [`filter[title][gte]=`, 'Café Éclair', 'NFC NFD both kind'],
    [`filter[title][lt]=`, 'Café Éclair', 'plain'],
    [`filter[tags][eq]=`, 'Crème', 'NFC NFD both'],
    [`filter[tags][ne]=`, 'Crème', 'kind plain'],
    [`filter[tags][contains]=`, 'rèm', 'NFC NFD both'],
    [`filter[notes][contains]=`, 'café é', 'NFC NFD both'],
    [`filter[kind][eq]=`, 'Café', 'kind'],
  ])('%s%.14s compares in NFC, whatever the forms, on every surface', async (filter, value, kept) => {
    for (const form of [shortForm, longForm])
      expect(await founds(filter + encodeURIComponent(form(value)))).toEqual(everywhere(kept));
  });

  it('compares what waits to be indexed and what is indexed alike', async () => {
    await app().composition.jobs.indexFilters();
    for (const filter of ['contains', 'gte'])
      expect((await founds(`filter[title][${filter}]=${of('Café É')}`)).delivery).toBe(
        filter === 'gte' ? 'NFC NFD both kind' : 'NFC NFD both',
      );
  });

  it('returns values as they were written', async () => {
    for (const name of formNames) {
      const { body } = await desk.get(`/entries/${ids[name] ?? ''}`);
      expect(body.data.fields.title).toBe(forms[name]('Café Éclair'));
      const delivered = await send(app(), {
        method: 'GET',
        path: `${desk.project.delivery}/entries/${ids[name] ?? ''}`,
      });
      expect(delivered.body.data.fields.title).toBe(forms[name]('Café Éclair'));
    }
  });

  it('counts equal texts of different forms as one, in facets and custom reports', async () => {
    const { body } = await find(desk, 'contentTypeApiName=place&facets=fields.title,fields.tags');
    expect(body.meta.facets).toEqual({
      'fields.title': { [shortForm('Café Éclair')]: 3, kind: 1, 'Cafe Eclair': 1 },
      'fields.tags': { plain: 3, [shortForm('Crème')]: 3, Creme: 1 },
    });
    const counted = await report(desk, {
      source: 'entries',
      groupBy: ['fields.title'],
      filters: { contentTypeApiName: ['place'], 'fields.title': [longForm('Café Éclair')] },
    });
    expect(table(counted)).toEqual([[shortForm('Café Éclair'), 3]]);
  });
});

describe('A unique value', () => {
  const publishCode = async (code: string) => {
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'place', fields: { code } });
    return { id, response: await desk.post(`/entries/${id}/publish`, {}) };
  };

  it('is taken in whatever form it is written', async () => {
    expect(outcome((await publishCode(longForm('Zoë'))).response)).toEqual([200, undefined]);
    for (const form of [shortForm, longForm]) {
      const { response } = await publishCode(form('Zoë'));
      expect([outcome(response), issues(response)]).toEqual([
        [422, 'entry_invalid'],
        [['fields.code', 'not_unique']],
      ]);
    }
  });

  it('is found twice in different forms when its field becomes unique', async () => {
    await createType(app(), desk.project, {
      apiName: 'person',
      fields: [{ apiName: 'name', type: 'text', localized: false }],
    });
    for (const form of [shortForm, longForm]) {
      const fields = { name: form('Zoë') };
      const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'person', fields });
      await publish(app(), desk.project, id);
    }
    const refused = await desk.put('/content-types/person/fields/name', { unique: true });
    expect(refused.status).toBe(409);
  });
});
