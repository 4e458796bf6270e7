import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { indexAll } from '../management/search/scene.js';

verifies('delivery/filters', 'lists/text-lists');

const app = useOwnApp();
let project: TestProject;
const ids: Record<string, string> = {};

const written: Record<string, { title: string; count: number }> = {
  a: { title: 'Alpha lock', count: 1 },
  b: { title: 'Beta', count: 2 },
  c: { title: 'Gamma', count: 10 },
  d: { title: 'Lock, weir\\sluice', count: 3 },
};

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en'] });
  await createType(app(), project, {
    apiName: 'thing',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'count', type: 'integer' },
    ],
  });
  for (const [name, fields] of Object.entries(written)) {
    const entry = await createEntry(app(), project, { contentTypeApiName: 'thing', fields });
    ids[name] = entry.id;
    await publish(app(), project, entry.id);
  }
  await indexAll(app());
});

const list = (query: string, key?: string) =>
  send(app(), {
    method: 'GET',
    path: `${project.delivery}/content/thing?orderBy=createdAt:asc&${query}`,
    key,
  });

const names = (body: { data: { _id: string }[] }) =>
  body.data.map(({ _id }) => Object.keys(ids).find((name) => ids[name] === _id)).join('');

async function search(values: unknown): Promise<unknown> {
  const filter = `{ title: { in: ${JSON.stringify(values)} } }`;
  const query = `{ search(site: "main", type: "thing", filter: ${filter}) { items { title } } }`;
  const path = `/api/graphql/${project.slug}`;
  const { body } = await send(app(), { method: 'POST', path, key: project.keys.delivery, body: { query } });
  return (body as { data: { search: { items: unknown[] } } }).data.search.items;
}

describe('Several values of a filter', () => {
  it.each([
    ['filter[title][in]=Gamma&filter[title][in]=Alpha lock', 'ac'],
    ['filter[title][nin]=Gamma&filter[title][nin]=Alpha lock', 'bd'],
    ['filter[title][in]=Gamma,x&filter[title][in]=Alpha lock', 'ac'],
    ['filter[count][in]=1&filter[count][in]=2,10', 'abc'],
    ['filter[_slug][in]=gamma&filter[_slug][in]=alpha-lock', 'ac'],
    ['filter[title][in]=Alpha lock%5C,Gamma', ''],
    [`filter[title][in]=x,${encodeURIComponent('Lock\\, weir\\sluice')}`, 'd'],
    [`filter[title][in]=${encodeURIComponent('Lock, weir\\sluice')}`, ''],
    [`filter[title][eq]=${encodeURIComponent('Lock, weir\\sluice')}`, 'd'],
  ])('%s are repeated or separated by commas, also in the response cache', async (query, kept) => {
    expect(names((await list(query, project.keys.preview)).body)).toBe(kept);
    expect(names((await list(query)).body)).toBe(kept);
    const { result, statements } = await app().recordStatements(() => list(query));
    expect([names(result.body), statements]).toEqual([kept, []]);
  });

  it('are kept apart by the response cache from one value with a comma', async () => {
    expect(names((await list('filter[title][in]=Gamma&filter[title][in]=Beta')).body)).toBe('bc');
    expect(names((await list('filter[title][in]=Gamma%5C,Beta')).body)).toBe('');
    expect(names((await list('filter[title][in]=Gamma,Beta')).body)).toBe('bc');
    expect(names((await list('filter[title][in]=Gamma')).body)).toBe('c');
  });

  it('are a list of strings or text with commas in GraphQL', async () => {
    const { title } = written.d ?? { title: '' };
    expect(await search(['x', title])).toEqual([{ title }]);
    expect(await search(`x,${title.replace(',', '\\,')}`)).toEqual([{ title }]);
    expect(await search(title)).toEqual([]);
  });

  it.each([
    'filter[title][ne]=a&filter[title][ne]=b',
    'filter[count][gt]=1&filter[count][gt]=2',
    'filter[title][contains]=a&filter[title][contains]=b',
    Array.from({ length: 501 }, (_, index) => `filter[count][in]=${String(index)}`).join('&'),
  ])('are 422 where one is expected, and beyond 500: %.60s', async (query) => {
    const { status, body } = await list(query);
    expect([status, body.error]).toEqual([422, 'validation_failed']);
  });
});
