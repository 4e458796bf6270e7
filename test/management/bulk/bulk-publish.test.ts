import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../../support/call.js';
import { createEntry, paragraphs, publish } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { BulkScene, MISSING } from './bulk-scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: BulkScene;

beforeAll(async () => {
  scene = await BulkScene.open(app());
});

/** Letters that cannot be compressed much. */
function noise(length: number, seed: number): string {
  let state = seed + 1;
  const letter = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (state % 26));
  };
  return Array.from({ length }, letter).join('');
}

describe('publish', () => {
  verifies('entries/bulk', 'entries/bulk-atomic', 'entries/further-operations');

  it('publishes every entry once in the given order with one audit record and one event each', async () => {
    const ids = (await scene.articles(3)).map(({ id }) => id);
    const response = await scene.bulk({
      action: 'publish',
      entryIds: [...ids, ids[0]?.toUpperCase()],
      params: { locale: 'en' },
    });
    expect(response.body).toEqual({
      data: {
        action: 'publish',
        total: 3,
        succeeded: 3,
        failed: 0,
        results: ids.map((entryId) => ({ entryId, ok: true, version: 1 })),
      },
    });
    expect(await scene.statuses(ids)).toEqual(['published', 'published', 'published']);
    const records = await scene.records(response);
    expect(records.map(({ action }) => action)).toEqual([...ids.map(() => 'entry.publish'), 'entry.bulk']);
    expect(records.at(-1)).toMatchObject({
      action: 'entry.bulk',
      before: { entries: ids.map((id) => ({ id, status: 'draft' })) },
      after: { entries: ids.map((id) => ({ id, status: 'published' })) },
    });
    const events = await app().rows(
      scene.project.tenantId,
      "SELECT 1 FROM outbox_events WHERE type = 'entry.published' AND payload -> 'data' ->> 'entryId' = ANY($1)",
      [ids],
    );
    expect(events).toHaveLength(3);
    const live = await must<{ fields: object }>(app(), {
      method: 'GET',
      path: `${scene.project.delivery}/entries/${String(ids[1])}`,
    });
    expect(live.fields).toMatchObject({ title: expect.any(String) });
  });

  it('runs as many statements for a hundred entries as for ten', async () => {
    const author = await createEntry(app(), scene.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ann' },
    });
    const made = async (count: number) => {
      const code = unique();
      const fields = (index: number) => ({
        title: 'T',
        code: `${code}-${String(index)}`,
        author: { _ref: author.id },
      });
      return Promise.all(Array.from({ length: count }, (_, index) => scene.article(fields(index))));
    };
    const counts: number[] = [];
    for (const count of [10, 100]) {
      const entryIds = (await made(count)).map(({ id }) => id);
      await scene.bulk({ action: 'publish', entryIds: [(await scene.article()).id] });
      const { result, statements } = await app().recordStatements(() =>
        scene.outcome({ action: 'publish', entryIds }),
      );
      expect([result.succeeded, result.failed]).toEqual([count, 0]);
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[0]).toBeLessThan(20);
  });

  it('reads, checks and writes large entries in parts, so that they are not held at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        scene.article({ title: `Large ${String(index)}`, body: paragraphs(noise(150_000, index)) }),
      ),
    );
    const entryIds = made.map(({ id }) => id);
    const { result, statements } = await app().recordStatements(() =>
      scene.outcome({ action: 'publish', entryIds }),
    );
    expect([result.succeeded, result.failed]).toEqual([8, 0]);
    const countOf = (part: string) => statements.filter((sql) => sql.includes(part)).length;
    expect(countOf('l.locale, l.fields FROM unnest')).toBe(3);
    expect(countOf('INSERT INTO published_entries')).toBeGreaterThan(2);
    const live = await app().rows<{ size: number }>(
      scene.project.tenantId,
      "SELECT length(fields -> 'body' ->> 'text') AS size FROM published_entries WHERE entry_id = ANY($1)",
      [entryIds],
    );
    expect(live).toEqual(Array(8).fill({ size: 150_000 }));
  });

  it('skips entries that cannot be published and publishes the rest', async () => {
    const [good, other] = await scene.articles(2);
    const bad = await scene.article({});
    const entryIds = [good?.id, bad.id, MISSING, other?.id];
    const result = await scene.outcome({ action: 'publish', entryIds });
    expect(result).toMatchObject({ total: 4, succeeded: 2, failed: 2 });
    expect(result.results.map(({ ok, error }) => [ok, error])).toEqual([
      [true, undefined],
      [false, 'entry_invalid'],
      [false, 'entry_not_found'],
      [true, undefined],
    ]);
    expect(await scene.statuses([String(good?.id), bad.id])).toEqual(['published', 'draft']);
  });

  it('gives a unique value to the first entry that claims it', async () => {
    const code = unique();
    const [first, second] = [
      await scene.article({ title: 'A', code }),
      await scene.article({ title: 'B', code }),
    ];
    const result = await scene.outcome({ action: 'publish', entryIds: [second.id, first.id] });
    expect(result.results.map(({ entryId, ok }) => [entryId, ok])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    expect(result.results[1]).toMatchObject({
      error: 'entry_invalid',
      details: { issues: [{ path: ['fields', 'code'], code: 'not_unique' }] },
    });
  });

  it('lets entries swap unique values when the order allows it', async () => {
    const [a, b] = [unique(), unique()];
    const first = await scene.article({ title: 'A', code: a });
    const second = await scene.article({ title: 'B', code: b });
    await publish(app(), scene.project, first.id);
    const key = scene.project.keys.management;
    const path = (id: string) => `${scene.project.management}/entries/${id}`;
    await must(app(), {
      method: 'PUT',
      path: path(first.id),
      key,
      body: { version: 1, fields: { code: b } },
    });
    await must(app(), {
      method: 'PUT',
      path: path(second.id),
      key,
      body: { version: 1, fields: { code: a } },
    });
    const result = await scene.outcome({ action: 'publish', entryIds: [first.id, second.id] });
    expect(result.succeeded).toBe(2);
  });

  it('publishes nothing with atomic when one entry is refused', async () => {
    const good = await scene.article();
    const bad = await scene.article({});
    const response = await scene.bulk({
      action: 'publish',
      entryIds: [good.id, bad.id],
      params: { atomic: true },
    });
    expect([response.status, response.body]).toMatchObject([
      422,
      {
        error: 'bulk_failed',
        details: {
          action: 'publish',
          total: 2,
          succeeded: 0,
          failed: 2,
          results: [
            { entryId: good.id, ok: false, error: 'bulk_failed' },
            { entryId: bad.id, ok: false, error: 'entry_invalid' },
          ],
        },
      },
    ]);
    expect(await scene.statuses([good.id, bad.id])).toEqual(['draft', 'draft']);
    expect(await scene.records(response)).toEqual([]);
  });

  it('schedules every entry when a time is given', async () => {
    const ids = (await scene.articles(2)).map(({ id }) => id);
    const params = { scheduledAt: '2100-01-01T00:00:00Z', timezone: 'Europe/Berlin' };
    const result = await scene.outcome({ action: 'publish', entryIds: ids, params });
    expect(result.results).toEqual(
      ids.map((entryId) => ({ entryId, ok: true, version: 1, jobId: expect.any(String) })),
    );
    expect(await scene.statuses(ids)).toEqual(['draft', 'draft']);
    expect((await scene.read(String(ids[0]))).locales[0]).toMatchObject({
      scheduled: [{ jobId: result.results[0]?.jobId, kind: 'publish' }],
    });
  });

  it('does not deadlock with a concurrent call over the same entries', async () => {
    const ids = (await scene.articles(20)).map(({ id }) => id);
    const calls = await Promise.all(
      [ids, [...ids].reverse(), ids].flatMap((entryIds, index) => [
        scene.bulk({ action: index === 1 ? 'unpublish' : 'publish', entryIds }),
        scene.bulk({ action: 'publish', entryIds: [...entryIds].sort() }),
      ]),
    );
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
  });
});
