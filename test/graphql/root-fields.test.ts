import { beforeAll, describe, expect, it } from '@jest/globals';
import { boundOperations, graphqlRouter } from '../../src/procedures/index.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { operations } from '../support/operations.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let mine: TestProject;
let theirs: TestProject;
let foreignId: string;
let foreignAsset: string;
let foreignNode: { readonly id: string };

beforeAll(async () => {
  mine = await createProject(app());
  theirs = await createProject(app());
  await createArticleTypes(app(), mine);
  await createArticleTypes(app(), theirs);
  const fields = { title: 'Theirs' };
  foreignId = (await createEntry(app(), theirs, { contentTypeApiName: 'article', fields })).id;
  await publish(app(), theirs, foreignId);
  foreignAsset = (await uploadAsset(app(), theirs)).id;
  await must(app(), {
    method: 'POST',
    path: `${theirs.management}/redirects`,
    key: theirs.keys.management,
    body: { siteId: theirs.siteId, source: '/theirs', target: '/elsewhere' },
  });
  foreignNode = await must(app(), {
    method: 'POST',
    path: `${theirs.management}/tree/nodes`,
    key: theirs.keys.management,
    body: { siteId: theirs.siteId, name: 'Theirs', url: '/theirs' },
  });
});

const roots = boundOperations(graphqlRouter);

/** One selection per root field that matches only content of the other tenant. */
const selections: Readonly<Record<string, () => string>> = {
  'graphql.asset': () => `asset(id: "${foreignAsset}") { id }`,
  'graphql.entry': () => `entry(id: "${foreignId}") { _id }`,
  'graphql.entryBySlug': () => 'entryBySlug(slug: "theirs", site: "main", locale: "en") { _id }',
  'graphql.collection': () => 'articleCollection { items { _id } }',
  'graphql.resolveRoute': () => 'resolveRoute(site: "main", locale: "en", path: "/theirs") { kind }',
  'graphql.redirects': () => 'redirects(site: "main") { items { source } }',
  'graphql.search': () => 'search(site: "main") { items { entry { _id } } }',
  'graphql.suggest': () => 'suggest(site: "main", q: "theirs") { text }',
  'graphql.tree': () => `tree(site: "main", root: "${foreignNode.id}") { id }`,
};

const ask = (name: string, key: string | undefined) => {
  const call = app().request.post(`/api/graphql/${mine.slug}`);
  if (key !== undefined) void call.set('Authorization', `Bearer ${key}`);
  return call.send({ query: `{ field: ${selections[name]?.() ?? ''} }` });
};

it('has a test selection for every GraphQL root field contract', () => {
  expect(roots.map(({ name }) => name).sort()).toEqual(Object.keys(selections).sort());
});

describe.each(roots)('Root field $name', ({ name, meta, kind }) => {
  it('is a delivery query exposed only on GraphQL', async () => {
    expect([kind, meta.audience, meta.resource, meta.action]).toEqual([
      'query',
      'delivery',
      'entries',
      'read',
    ]);
    expect([meta.openapi, meta.mcp]).toEqual([undefined, undefined]);
    expect(operations.map((operation) => operation.name)).not.toContain(name);
    expect((await app().request.get(`/api/trpc/${name}`)).status).toBe(404);
  });

  it.each(['delivery', 'preview', 'management'] as const)(
    'does not return another tenant’s entry to a %s key',
    async (type) => {
      const { status, body } = await ask(name, mine.keys[type]);
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(body.data.field?.items ?? body.data.field ?? []).toEqual([]);
    },
  );

  it('rejects a key of another tenant before anything is read', async () => {
    const { status, body } = await ask(name, theirs.keys.delivery);
    expect([status, body.error]).toEqual([403, 'wrong_project']);
  });

  it('rejects unknown input', async () => {
    const operation = roots.find((root) => root.name === name);
    const scope = {} as Parameters<NonNullable<typeof operation>['run']>[0];
    await expect(operation?.run(scope, { projectSlug: mine.slug, surplus: 1 })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});
