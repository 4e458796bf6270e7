import { expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';

const app = useApp();

const batch = async (desk: Desk, count: number) => {
  const { siteId } = desk.project;
  const item = { action: 'create', contentTypeApiName: 'article', siteId, publish: true };
  const items = Array.from({ length: count }, (_, index) => ({
    ...item,
    fields: { title: `T ${String(index)}` },
  }));
  expect((await desk.post('/entries/batch', { items })).body.data.succeeded).toBe(count);
};

it('changes one slot of each count in a batch, so that batches of one type do not wait for each other', async () => {
  const desk = await openDesk(app());
  const { tenantId, projectId } = desk.project;
  const counts = (table: string) =>
    app().rows<{ slots: number; entries: number }>(
      tenantId,
      `SELECT count(DISTINCT slot)::int AS slots, sum(entries)::int AS entries FROM ${table} c
        JOIN environment_heads h ON h.environment_id = c.environment_id WHERE h.project_id = $1 AND c.locale = 'en'`,
      [projectId],
    );
  await batch(desk, 40);
  expect(await counts('entry_counts')).toEqual([{ slots: 1, entries: 40 }]);
  expect(await counts('published_counts')).toEqual([{ slots: 1, entries: 40 }]);
  await Promise.all([batch(desk, 20), batch(desk, 20), batch(desk, 20)]);
  const [{ slots, entries } = { slots: 0, entries: 0 }] = await counts('published_counts');
  expect(entries).toBe(100);
  expect(slots).toBeLessThan(5);
});
