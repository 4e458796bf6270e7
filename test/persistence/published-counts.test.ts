import { describe, expect, it } from '@jest/globals';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';
import { fc } from '../support/properties.js';

const app = useOwnApp();

/** Stored totals beside counted ones. */
async function totals({ project }: Desk): Promise<[kept: string[], counted: string[]]> {
  const rows = (from: string) =>
    app().rows<{ line: string }>(
      project.tenantId,
      `SELECT t.api_name || ' ' || site_id || ' ' || locale || ' ' || count AS line FROM (${from}) AS c
       JOIN content_types t ON t.environment_id = c.environment_id AND t.id = c.content_type_id ORDER BY 1`,
    );
  const scope = 'environment_id, content_type_id, site_id, locale';
  const kept = `SELECT ${scope}, sum(entries) AS count FROM published_counts GROUP BY ${scope} HAVING sum(entries) <> 0`;
  const counted = `SELECT ${scope}, count(*) AS count FROM published_entries GROUP BY ${scope}`;
  return [(await rows(kept)).map(({ line }) => line), (await rows(counted)).map(({ line }) => line)];
}

async function expectExact(desk: Desk): Promise<void> {
  const [kept, counted] = await totals(desk);
  expect(kept).toEqual(counted);
}

type Step = readonly [verb: 'publish' | 'unpublish' | 'edit' | 'delete', index: number, locale: 'en' | 'de'];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('publish', 'publish', 'unpublish', 'edit', 'delete'),
  fc.nat(5),
  fc.constantFrom('en', 'de'),
);

async function play(desk: Desk, id: string, [verb, , locale]: Step): Promise<void> {
  if (verb === 'delete') await desk.delete(`/entries/${id}`);
  else if (verb === 'edit') {
    const current = await desk.get(`/entries/${id}`);
    if (current.status !== 200) return;
    const version = Number(current.body.data.version);
    await desk.put(`/entries/${id}`, { version, locale, fields: { title: `Version ${String(version)}` } });
  } else await desk.post(`/entries/${id}/${verb}`, { locale });
}

async function sixEntries(desk: Desk): Promise<string[]> {
  const bodies = Array.from({ length: 6 }, (_, index) => ({
    contentTypeApiName: 'article',
    fields: { title: `Entry ${String(index)}` },
  }));
  const made = await Promise.all(bodies.map((body) => createEntry(app(), desk.project, body)));
  return made.map(({ id }) => id);
}

describe('The totals of published lists', () => {
  verifies('delivery/content-list', 'entries/delete');

  it('keeps totals exact through publish, unpublish, update and delete in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const desk = await openDesk(app());
        const ids = await sixEntries(desk);
        for (const one of steps) await play(desk, ids[one[1]] ?? '', one);
        await expectExact(desk);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('keeps totals exact under concurrent changes', async () => {
    const desk = await openDesk(app());
    const ids = await sixEntries(desk);
    const steps = fc.sample(step, 80);
    await Promise.all(steps.map((one) => play(desk, ids[one[1]] ?? '', one)));
    await expectExact(desk);
  });

  it('updates totals when a type or a site is removed with its deleted entries', async () => {
    const desk = await openDesk(app());
    const [id = ''] = await sixEntries(desk);
    await desk.post(`/entries/${id}/publish`);
    const list = () => app().request.get(`${desk.project.delivery}/content/article`);
    expect((await list()).body.meta.total).toBe(1);
    await Promise.all(
      (await desk.get('/entries')).body.data.map((entry: { id: string }) =>
        desk.delete(`/entries/${entry.id}`),
      ) as Promise<unknown>[],
    );
    expect((await list()).body.meta.total).toBe(0);
    await desk.delete('/content-types/article');
    await expectExact(desk);
  });
});
