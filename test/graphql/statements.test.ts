import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

let app: TestApp;
let project: TestProject;

const query = `query ($limit: Int) { articleCollection(site: "main", limit: $limit) {
  total items { _id title author { name } related { title } } } }`;

beforeAll(async () => {
  app = await startTestApp();
  project = await createProject(app);
  await createArticleTypes(app, project);
  const authors = await Promise.all(
    ['Ada', 'Ben', 'Cleo'].map((name) =>
      createEntry(app, project, { contentTypeApiName: 'author', fields: { name } }),
    ),
  );
  for (const { id } of authors) await publish(app, project, id);
  let previous: string | undefined;
  for (let index = 0; index < 25; index += 1) {
    const fields = {
      title: `Article ${String(index)}`,
      author: { _ref: authors[index % 3]?.id },
      related: previous === undefined ? [] : [{ _ref: previous }],
    };
    const { id } = await createEntry(app, project, { contentTypeApiName: 'article', fields });
    await publish(app, project, id);
    previous = id;
  }
});

afterAll(() => app.close());

describe('GraphQL reads of lists with references', () => {
  verifies('spec-4.2-batching');

  it.each([1, 25, 100])(
    'runs at most 3 content statements for a page of %i entries with two reference fields',
    async (limit) => {
      const { result, statements } = await app.recordStatements(() =>
        app.request
          .post(`/api/graphql/${project.slug}`)
          .set('Authorization', `Bearer ${project.keys.delivery}`)
          .send({ query, variables: { limit } }),
      );
      expect(result.status).toBe(200);
      const { items, total } = result.body.data.articleCollection;
      expect(total).toBe(25);
      expect(items).toHaveLength(Math.min(limit, 25));
      expect(items[0].author.name).toBeTruthy();
      const content = statements.filter((sql) => sql.includes('FROM published_entries'));
      expect(content.length).toBeLessThanOrEqual(3);
      expect(content.length).toBeGreaterThan(0);
    },
  );
});
