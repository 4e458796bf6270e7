import { beforeAll, describe, expect, it } from '@jest/globals';
import { orderKey } from '../../src/features/insight/search/engine/engine-values.js';
import { must, send } from '../support/call.js';
import { column, Desk, useOwnApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { createProject, superAdmin, unique } from '../support/factories/project.js';
import { createMember, systemRoleId } from '../support/members.js';
import { verifies } from '../support/verifies.js';
import { byCursor } from '../support/walk.js';
import { report, table } from './custom-reports/desk.js';
import { find, indexAll } from './search/scene.js';

const app = useOwnApp();
let desk: Desk;

/** In the order of Unicode. By code points, capitals come before small letters, and accents after `z`. */
const ordered = [
  'Ångström',
  'Äpfel',
  'apple',
  'Apple',
  'apples',
  'éclair',
  'Łódź',
  'über',
  'zebra',
  'Zulu',
  'Ωμέγα',
  'Яблоко',
];
const shuffled = ordered.toSorted();

beforeAll(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en'] }));
  await createType(app(), desk.project, {
    apiName: 'word',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'same', type: 'text', defaultValue: 'same' },
    ],
  });
  for (const title of shuffled) {
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'word', fields: { title } });
    await publish(app(), desk.project, id);
  }
  await indexAll(app());
});

describe('The order of texts', () => {
  verifies('lists/text-order');

  it.each(['fields.title', 'title'])('is that of Unicode in a search of drafts by %s', async (key) => {
    const sorted = (direction: string) => find(desk, `contentTypeApiName=word&sort=${key}:${direction}`);
    expect(column(await sorted('asc'), 'title')).toEqual(ordered);
    expect(column(await sorted('desc'), 'title')).toEqual(ordered.toReversed());
  });

  it('continues on the next page of a search', async () => {
    const titles: unknown[] = [];
    for (let page = 1; page <= 4; page += 1)
      titles.push(
        ...column(
          await find(desk, `contentTypeApiName=word&sort=fields.title:asc&limit=3&page=${page}`),
          'title',
        ),
      );
    expect(titles).toEqual(ordered);
  });

  it('is that of Unicode in a search of a site', async () => {
    const path = `${desk.project.delivery}/search?contentTypeApiName=word&sort=fields.title:asc`;
    expect(column(await send(app(), { method: 'GET', path }), 'title')).toEqual(ordered);
  });

  it('is that of Unicode among equally frequent facets and groups of reports', async () => {
    const { body } = await find(desk, 'contentTypeApiName=word&facets=fields.title');
    expect(Object.keys(body.meta.facets['fields.title'] as object)).toEqual(ordered);
    const filters = { contentTypeApiName: ['word'] };
    const grouped = await report(desk, { source: 'entries', groupBy: ['fields.title'], filters });
    expect(table(grouped).map(([title]) => title)).toEqual(ordered);
  });

  it.each([
    ['/media/folders', {}],
    ['/views', { resource: 'entries' }],
    ['/webhooks', { url: 'https://hooks.example.com/x', events: ['*'] }],
    ['/custom-field-types', { jsonSchema: { type: 'object' } }],
  ])('is that of Unicode in the list of %s by name', async (path, body) => {
    const own = new Desk(app(), await createProject(app()));
    for (const [index, name] of shuffled.entries()) {
      const apiName = path === '/custom-field-types' ? { apiName: `c${String(index)}` } : {};
      expect((await own.post(path, { name, ...apiName, ...body })).status).toBe(201);
    }
    expect(column(await own.get(`${path}?orderBy=name:asc`), 'name')).toEqual(ordered);
    expect(column(await own.get(`${path}?orderBy=name:desc&limit=3`), 'name')).toEqual(
      ordered.toReversed().slice(0, 3),
    );
  });

  it('is that of Unicode in the list of assets by name, on every page of a walk as well', async () => {
    const own = new Desk(app(), await createProject(app()));
    const files = shuffled.map((name) => `${name}.png`);
    for (const fileName of files)
      await uploadAsset(app(), own.project, {
        file: { fileName, content: png().toString('base64') },
        tags: ['sorted'],
      });
    const expected = ordered.map((name) => `${name}.png`);
    const names = async (query: string) => column(await own.get(`/media?${query}`), 'fileName');
    expect(await names('orderBy=name:asc')).toEqual(expected);
    expect(await names('orderBy=name:desc&q=p')).toEqual(expected.toReversed());
    const walk = (direction: string) =>
      byCursor((paging) => own.get(`/media?orderBy=name:${direction}&tag=sorted&${paging}`), {
        limit: 5,
        key: 'fileName',
      });
    expect(await walk('asc')).toEqual(expected);
    expect(await walk('desc')).toEqual(expected.toReversed());
  });

  it('is that of Unicode in the lists of users, sites, fields and projects by name', async () => {
    const project = await createProject(app());
    const own = new Desk(app(), project);
    const key = await superAdmin(app());
    const viewer = await systemRoleId(app(), project, 'viewer');
    const fields = shuffled.map((name, index) => ({ apiName: `f${String(index)}`, type: 'text', name }));
    await createType(app(), project, { apiName: 'named', fields });
    for (const name of shuffled) {
      await createMember(app(), project, [viewer], name);
      await own.post('/sites', { slug: unique(), name });
    }
    const by = (path: string) =>
      send(app(), { method: 'GET', path: `${project.management}${path}?orderBy=name:asc`, key });
    expect(column(await by('/users'), 'name')).toEqual(ordered);
    expect(column(await by('/content-types/named/fields'), 'name')).toEqual(ordered);
    const sites = column(await by('/sites'), 'name').filter((name) => name !== 'Main');
    expect(sites).toEqual(ordered);
    const tenant = await must<{ slug: string }>(app(), {
      method: 'POST',
      path: '/api/v1/platform/tenants',
      key,
      body: {
        slug: unique(),
        name: 'Tenant',
        locales: ['en'],
        project: { slug: unique(), name: ordered[0] },
      },
    });
    const path = `/api/v1/platform/tenants/${tenant.slug}/projects`;
    for (const name of shuffled.filter((one) => one !== ordered[0]))
      await must(app(), { method: 'POST', path, key, body: { slug: unique(), name } });
    const listed = await send(app(), { method: 'GET', path: `${path}?orderBy=name:asc`, key });
    expect(column(listed, 'name')).toEqual(ordered);
  });

  it('is that of Unicode among the keys of a search engine, but for case', () => {
    const words = [
      ...ordered,
      'a b',
      'ab',
      'a-b',
      'a_b',
      'straße',
      'strasse',
      'Strauß',
      '10',
      '9',
      '!',
      'über uns',
      'Öl',
      'øl',
      'zz',
    ];
    const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
    const sorted = words.toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
    for (const [index, word] of sorted.slice(1).entries()) {
      const before = sorted[index] ?? '';
      const arePunctuated = /[-_ ]/.test(word) && /[-_ ]/.test(before);
      if (!arePunctuated) expect([before, word, compare(before, word) <= 0]).toEqual([before, word, true]);
    }
    expect(orderKey('Äpfel') < orderKey('Zulu')).toBe(true);
    expect(orderKey('apfel') < orderKey('äpfel')).toBe(true);
  });
});
