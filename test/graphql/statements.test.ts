import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

const POSTS = 100;

const app = useApp();
let project: TestProject;

const query = `query ($limit: Int) { postCollection(site: "main", limit: $limit) {
  total items { _id title author { name } reviewer { name } categories { name } } } }`;

/** Creates and publishes entries of a type; returns links to them. */
async function publishAll(contentTypeApiName: string, all: readonly Record<string, unknown>[]) {
  const links: { _ref: string }[] = [];
  for (const fields of all) {
    const { id } = await createEntry(app(), project, { contentTypeApiName, fields });
    await publish(app(), project, id);
    links.push({ _ref: id });
  }
  return links;
}

const reference = (apiName: string, type: string, isList = false) => ({
  apiName,
  type: 'reference',
  isList,
  settings: { contentTypes: [type] },
});

beforeAll(async () => {
  project = await createProject(app());
  const name = { apiName: 'name', type: 'text' };
  await createType(app(), project, { apiName: 'author', fields: [name] });
  await createType(app(), project, { apiName: 'category', fields: [name] });
  await createType(app(), project, {
    apiName: 'post',
    fields: [
      { apiName: 'title', type: 'text' },
      reference('author', 'author'),
      reference('reviewer', 'author'),
      reference('categories', 'category', true),
    ],
  });
  const authors = await publishAll('author', [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }]);
  const categories = await publishAll('category', [{ name: 'Locks' }, { name: 'Weirs' }]);
  const posts = Array.from({ length: POSTS }, (_, index) => ({
    title: `Post ${String(index)}`,
    author: authors[index % 3],
    reviewer: authors[(index + 1) % 3],
    categories: index % 2 === 0 ? categories : [...categories].reverse(),
  }));
  const { siteId, management, keys } = project;
  const ids: string[] = [];
  // Sequential: a busy machine rejects a hundred concurrent writers.
  for (const fields of posts) {
    const body = { contentTypeApiName: 'post', siteId, fields };
    const path = `${management}/entries`;
    ids.push((await must<{ id: string }>(app(), { method: 'POST', path, key: keys.management, body })).id);
  }
  await must(app(), {
    method: 'POST',
    path: `${management}/entries/bulk`,
    key: keys.management,
    body: { action: 'publish', entryIds: ids, params: {} },
  });
});

describe('Statement counts of GraphQL lists', () => {
  verifies('graphql/reads-batched');

  it.each([
    [1, 'delivery'],
    [25, 'delivery'],
    [100, 'delivery'],
    [1, 'preview'],
    [25, 'preview'],
    [100, 'preview'],
  ] as const)(
    'reads %i entries in one statement and all their references in another, with a %s key',
    async (limit, key) => {
      const { result, statements } = await app().recordStatements(() =>
        app()
          .request.post(`/api/graphql/${project.slug}`)
          .set('Authorization', `Bearer ${project.keys[key]}`)
          .send({ query, variables: { limit } }),
      );
      expect(result.status).toBe(200);
      const { items, total } = result.body.data.postCollection;
      expect(total).toBe(POSTS);
      expect(items).toHaveLength(limit);
      for (const { author, reviewer, categories } of items) {
        expect([author.name, reviewer.name]).toEqual([expect.any(String), expect.any(String)]);
        expect(categories).toHaveLength(2);
      }
      const table = key === 'delivery' ? 'FROM published_entries' : 'FROM entry_locales l';
      const reads = statements.filter((sql) => sql.includes(table) && !sql.includes('count(*)'));
      expect(reads.filter((sql) => sql.includes('LIMIT'))).toHaveLength(1);
      expect(
        reads.filter((sql) => sql.includes('= ANY($2::uuid[])') || sql.includes('= ANY($3::uuid[])')),
      ).toHaveLength(1);
      expect(reads).toHaveLength(2);
    },
  );
});
