import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentDifference } from '../../../contracts/environments/environments/environment.js';
import { send } from '../../support/call.js';
import { branchOf } from '../../support/factories/branch.js';
import { createType, type TestEntry } from '../../support/factories/content.js';
import { createFolder, createPage, createPageType } from '../../support/factories/tree.js';
import { unique, type TestProject } from '../../support/factories/project.js';
import { Caller, projectWithArticle } from './articles.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let main: TestProject;
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
});

const by = new Caller(() => app());

const ask = (source: string, query = '') =>
  send(app(), {
    method: 'GET',
    path: `${main.management}/environments/${source}/diff${query}`,
    key: main.keys.management,
  });

interface Answer {
  data: EnvironmentDifference[];
  meta: { total: number; counts: Record<string, number> };
}

async function diff(source: string, query = ''): Promise<Answer> {
  const response = await ask(source, query);
  expect(response.body).toMatchObject({ data: expect.anything() });
  return response.body as Answer;
}

describe('comparison', () => {
  it('finds nothing in a new branch and does not read the content', async () => {
    const { environment } = await branchOf(app(), main);
    expect((await diff(environment)).data).toEqual([]);
  });

  it('shows base, source and target by field and locale', async () => {
    const branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    await by.edit(main, article.id, { title: 'Three', teaser: 'U' });
    await by.edit(branch, article.id, { title: 'Zwei' }, 'de');
    await by.edit(branch, article.id, { code: 'd' });
    const { data, meta } = await diff(branch.environment);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ kind: 'entry', id: article.id, change: 'updated', isConflict: true });
    expect(new Set(data[0]?.values)).toEqual(
      new Set([
        { locale: null, field: 'code', changedIn: 'source', base: 'c', source: 'd', target: 'c' },
        { locale: 'en', field: 'title', changedIn: 'both', base: 'One', source: 'Two', target: 'Three' },
        { locale: 'en', field: 'teaser', changedIn: 'target', base: 'T', source: 'T', target: 'U' },
        {
          locale: 'de',
          field: null,
          changedIn: 'source',
          base: null,
          source: { slug: expect.any(String), title: 'Zwei' },
          target: null,
        },
      ]),
    );
    expect(meta.counts).toEqual({ created: 0, updated: 1, deleted: 0, none: 0, conflicts: 1 });
  });

  it('compares renamed fields and types as the same', async () => {
    const branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    await by.call(branch, 'POST', '/content-types/author/rename', { apiName: 'writer' });
    await by.call(branch, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    const { data } = await diff(branch.environment);
    const values = data.flatMap(({ kind, values: all }) =>
      all.map(({ field, base, source }) => [kind, field, base, source]),
    );
    expect(values).toEqual(
      expect.arrayContaining([
        ['contentType', 'apiName', 'author', 'writer'],
        ['contentType', 'fields.headline.apiName', 'title', 'headline'],
        ['entry', 'headline', 'One', 'Two'],
      ]),
    );
    expect(values).toHaveLength(3);
  });

  it('shows created and deleted items of every kind', async () => {
    const branch = await branchOf(app(), main);
    await by.call(branch, 'DELETE', `/entries/${article.id}`);
    const folder = await createFolder(app(), branch, { slug: 'news' });
    const redirect = await by.call(branch, 'POST', '/redirects', {
      siteId: main.siteId,
      source: '/a',
      target: '/b',
    });
    await createType(app(), branch, { apiName: 'event', fields: [{ apiName: 'day', type: 'date' }] });
    await by.call(branch, 'DELETE', '/content-types/article/fields/teaser?force=true');
    const { data, meta } = await diff(branch.environment);
    expect(data.map(({ kind, name, change }) => [kind, name, change])).toEqual(
      expect.arrayContaining([
        ['entry', 'One', 'deleted'],
        ['treeNode', folder.name, 'created'],
        ['redirect', '/a', 'created'],
        ['contentType', 'Type', 'created'],
        ['contentType', 'Type', 'updated'],
      ]),
    );
    expect(meta.total).toBe(5);
    expect(await diff(branch.environment, '?kind=redirect')).toMatchObject({ data: [{ id: redirect.id }] });
    const page = await diff(branch.environment, '?limit=2&page=2');
    expect(page.data).toEqual(data.slice(2, 4));
  });

  it('names the node of a page by the title of the page', async () => {
    await createPageType(app(), main);
    const branch = await branchOf(app(), main);
    await createPage(app(), branch, { slug: 'about', treeParentId: null });
    const { data } = await diff(branch.environment, '?kind=treeNode');
    expect(data.map(({ name }) => name)).toEqual(['Page about']);
  });

  it('reverses with the direction and shows what only the target changed', async () => {
    const branch = await branchOf(app(), main);
    await by.edit(main, article.id, { title: 'Three' });
    expect((await diff(branch.environment)).data).toMatchObject([{ change: 'none' }]);
    expect((await diff('main', `?target=${branch.environment}`)).data).toMatchObject([
      { change: 'updated', values: [{ base: 'One', source: 'Three', target: 'One' }] },
    ]);
  });

  it('journals nothing in an environment without branches', async () => {
    await by.edit(main, article.id, { title: 'Two' });
    const rows = await app().rows(main.tenantId, 'SELECT 1 FROM environment_changes WHERE tenant_id = $1', [
      main.tenantId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('refusals', () => {
  it('refuses unknown, equal and unrelated environments', async () => {
    const one = await branchOf(app(), main);
    const [alone, path] = [`e-${unique()}`, `${main.management}/environments`];
    const body = { slug: alone, name: 'Alone', from: null };
    await send(app(), { method: 'POST', path, key: main.keys.management, body });
    expect((await ask('main')).body).toMatchObject({ error: 'same_environment' });
    expect((await ask('nowhere')).body).toMatchObject({ error: 'environment_not_found' });
    expect((await ask(one.environment, '?target=nowhere')).body).toMatchObject({
      error: 'environment_not_found',
    });
    expect((await ask(one.environment, `?target=${alone}`)).body).toMatchObject({
      error: 'environments_unrelated',
    });
  });

  it('refuses a key that is bound to one of them', async () => {
    const branch = await branchOf(app(), main);
    const path = `${main.management}/environments/${branch.environment}/diff`;
    const bound = await send(app(), { method: 'GET', path, key: branch.keys.management });
    expect(bound.body).toMatchObject({ error: 'environment_not_allowed' });
  });
});
