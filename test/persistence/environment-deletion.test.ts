import { describe, expect, it } from '@jest/globals';
import { contentTables } from '../../src/features/environments/environments/copy/environment-tables.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();

/** What is copied to branches, and the index of drafts, which triggers write for the copies. */
const emptied = [...contentTables, 'draft_values'];

/** A project with two branches of the same content. */
async function branched(): Promise<{ desk: Desk; id: string; slug: string; kept: string }> {
  const desk = await openDesk(app());
  const { project } = desk;
  const { id: entryId } = await createEntry(app(), project, {
    contentTypeApiName: 'article',
    fields: { title: 'Title' },
  });
  await publish(app(), project, entryId);
  await createPageType(app(), project);
  const parent = await createLivePage(app(), project, { slug: 'parent' });
  await createLivePage(app(), project, { slug: 'child', treeParentId: parent.treeNodeId });
  await desk.post('/redirects', { source: '/old', target: '/new', siteId: project.siteId });
  const branch = async () => {
    const made = await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
    return made.body.data as { id: string; slug: string };
  };
  const { id: kept } = await branch();
  return { desk, ...(await branch()), kept };
}

async function count(desk: Desk, id: string, tables: readonly string[]): Promise<Record<string, number>> {
  const parts = tables.map(
    (table) => `SELECT '${table}' AS name, count(*)::int AS rows FROM ${table} WHERE environment_id = $1`,
  );
  const rows = await app().rows<{ name: string; rows: number }>(
    desk.project.tenantId,
    parts.join(' UNION ALL '),
    [id],
  );
  return Object.fromEntries(rows.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]));
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, rows) => total + rows, 0);

async function empty({ project }: Desk, id: string, batch: number): Promise<number> {
  const [row] = await app().rows<{ deleted: number }>(
    project.tenantId,
    'SELECT empty_environment($1, $2) AS deleted',
    [id, batch],
  );
  return row?.deleted ?? -1;
}

describe('The rows of a deleted environment', () => {
  verifies('environments/deletion');
  const kept = ['entry_counts', 'published_counts', 'search_queue'];

  it('are deleted table by table, and nothing is counted, queued or journaled for them', async () => {
    const { desk, id, slug, kept: other } = await branched();
    await desk.delete(`/environments/${slug}`);
    const [before, counters] = [await count(desk, id, emptied), await count(desk, id, kept)];
    const untouched = await count(desk, other, emptied);
    expect([sum(before) > 10, Object.keys(counters)]).toEqual([true, kept]);
    expect(await empty(desk, id, 10_000)).toBe(sum(before));
    expect([await count(desk, id, emptied), await count(desk, id, kept)]).toEqual([{}, counters]);
    await app().composition.jobs.workOnEnvironments();
    expect(await count(desk, id, [...emptied, ...kept])).toEqual({});
    expect(await count(desk, other, emptied)).toEqual(untouched);
  });

  it('are deleted in batches of any size, parents of the tree after their children', async () => {
    const { desk, id, slug } = await branched();
    await desk.delete(`/environments/${slug}`);
    let left = sum(await count(desk, id, emptied));
    while (left > 0) {
      const batch = Math.min(3, left);
      expect(await empty(desk, id, 3)).toBe(batch);
      left -= batch;
    }
    expect(await empty(desk, id, 3)).toBe(0);
  });

  it('are kept while the environment is not being deleted', async () => {
    const { desk, id } = await branched();
    expect(await empty(desk, id, 10)).toBe(0);
    expect(sum(await count(desk, id, emptied))).toBeGreaterThan(10);
  });
});
