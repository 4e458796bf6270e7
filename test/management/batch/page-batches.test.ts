import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import { blocksAnother } from '../../support/blocks-another.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  const fields = [{ apiName: 'title', type: 'text', localized: true }];
  await createType(app(), desk.project, { apiName: 'leaf', isPage: true, fields });
});

async function batch(items: readonly object[]): Promise<BatchOutcome[]> {
  const { status, body } = await desk.post('/entries/batch', { items });
  expect(status).toBe(200);
  return (body.data as { results: BatchOutcome[] }).results;
}

const page = (more: object = {}) => ({
  action: 'create',
  contentTypeApiName: 'leaf',
  siteId: desk.project.siteId,
  slug: unique(),
  fields: { title: 'Page' },
  ...more,
});

const pages = async (count: number, more: object = {}): Promise<BatchOutcome[]> => {
  const made = await batch(Array.from({ length: count }, () => page(more)));
  expect(made.filter(({ ok }) => !ok)).toEqual([]);
  return made;
};

const translation = ({ entryId: id }: BatchOutcome, slug = unique()) => ({
  action: 'update',
  id,
  locale: 'de',
  slug,
  fields: { title: 'Seite' },
  publish: true,
});

describe('A batch of pages', () => {
  verifies('entries/batch');

  it('returns the tree node of each page', async () => {
    const [above] = await pages(1);
    const [below] = await pages(1, { treeParentId: above?.treeNodeId });
    expect(below?.treeNodeId).not.toBe(above?.treeNodeId);
    const { body } = await desk.get(`/tree/nodes/${below?.treeNodeId ?? ''}`);
    expect(body.data).toMatchObject({ parentId: above?.treeNodeId, entryId: below?.entryId });
  });

  it('gives ids in the order of the items, also where these have places of different kinds', async () => {
    const [above] = await pages(1);
    const treeParentId = above?.treeNodeId;
    const named = unique();
    const made = await batch([
      page({ treeParentId }),
      page(),
      page({ treeParentId }),
      page({ externalId: named }),
      page({ action: 'upsert', treeParentId }),
    ]);
    const ids = made.map(({ entryId }) => entryId);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual(ids.toSorted());
  });

  it('translates twenty pages with as many statements as two, in one attempt', async () => {
    const counts: number[] = [];
    for (const count of [2, 2, 20]) {
      const made = await pages(count);
      const { statements, result } = await app().recordStatements(() =>
        batch(made.map((one) => translation(one))),
      );
      expect(result.map(({ ok, status }) => [ok, status])).toEqual(made.map(() => [true, 'published']));
      expect(statements.filter((text) => text.includes('FOR UPDATE')).length).toBeLessThanOrEqual(2);
      counts.push(statements.length);
    }
    // The first call fills caches.
    expect(counts[2]).toBe(counts[1]);
  });

  it('refuses a slug that a sibling has or takes in the same batch, and only that item', async () => {
    const [first, second, third, above] = await pages(4);
    const [below] = await pages(1, { treeParentId: above?.treeNodeId });
    const slug = unique();
    const items = [first, second, below].flatMap((one) =>
      one === undefined ? [] : [translation(one, slug)],
    );
    expect((await batch(items)).map(({ ok, error }) => error ?? ok)).toEqual([true, 'slug_conflict', true]);
    const again = third === undefined ? [] : [translation(third, slug)];
    expect((await batch(again)).map(({ error }) => error)).toEqual(['slug_conflict']);
  });

  it('changes paths that no other page depends on while others use the tree, and those above others after them', async () => {
    const [above, leaf] = await pages(2);
    const [below] = await pages(1, { treeParentId: above?.treeNodeId });
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    try {
      const { tenantId, siteId } = desk.project;
      const [node] = await app().rows<{ id: string }>(
        tenantId,
        'SELECT environment_id AS id FROM tree_nodes WHERE id = $1',
        [above?.treeNodeId],
      );
      const tree = `tree:${node?.id ?? ''}:${siteId}`;
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [tree]);
      const free = [leaf, below].flatMap((one) => (one === undefined ? [] : [translation(one)]));
      expect((await batch(free)).map(({ status }) => status)).toEqual(['published', 'published']);
      const moved = batch(above === undefined ? [] : [translation(above)]);
      await waitFor('the batch waits for the tree', () => blocksAnother(client));
      await client.query('COMMIT');
      expect((await moved).map(({ status }) => status)).toEqual(['published']);
    } finally {
      await client.end();
    }
  });

  it('redirects the old paths of pages whose slugs it changes', async () => {
    const [one] = await pages(1, { publish: true });
    const slug = unique();
    const [moved] = await batch([{ action: 'update', id: one?.entryId, slug, publish: true }]);
    expect(moved).toMatchObject({ ok: true, status: 'published' });
    const { body } = await desk.get('/redirects');
    const redirects = body.data as { toPath?: string; target?: string }[];
    expect(JSON.stringify(redirects)).toContain(`/${slug}`);
  });
});
