import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/factories/project.js';
import { outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, failure, ReleaseDesk } from './release-desk.js';

const app = useOwnApp();
let scene: ReleaseDesk;

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
});

const records = (id: string) =>
  app().rows<{ action: string; context: { cause?: { action: string } } }>(
    null,
    `SELECT a.action, a.context FROM audit_events a WHERE a.context ->> 'requestId' = (SELECT r.context ->> 'requestId'
       FROM audit_events r WHERE r.target ->> 'id' = $1 AND r.action IN ('release.publish', 'release.rollback') ORDER BY r.number DESC LIMIT 1)
     ORDER BY a.number`,
    [id],
  );

const events = (type: string, key: string, id: string) =>
  app().rows<{ data: Record<string, unknown> }>(
    scene.desk.project.tenantId,
    "SELECT payload -> 'data' AS data FROM outbox_events WHERE type = $1 AND payload -> 'data' ->> $2 = $3",
    [type, key, id],
  );

describe('publishing a release', () => {
  verifies('publication/release-publish');

  it('publishes and unpublishes what it names, in every locale, with one record for the whole', async () => {
    const [first, second, leaving] = [
      await scene.article({ title: 'First' }),
      await scene.article({ title: 'Second' }),
      await scene.article({ title: 'Leaving' }),
    ];
    await scene.publishEntry(leaving);
    await scene.edit(first, { locale: 'de', fields: { title: 'Erster' } });
    const { id } = await scene.release([
      entryItem(first),
      entryItem(first, { locale: 'de' }),
      entryItem(second),
      entryItem(leaving, { action: 'unpublish' }),
    ]);
    const { data, meta } = await scene.published(id);
    expect(data).toMatchObject({ status: 'published', error: null, publishedBy: { type: 'api_key' } });
    expect(meta.changes.map(({ change, id: of, locale }) => [change, of, locale])).toEqual([
      ['added', first.id, 'en'],
      ['added', first.id, 'de'],
      ['added', second.id, 'en'],
      ['removed', leaving.id, 'en'],
    ]);
    expect(await scene.title(first)).toBe('First');
    expect(await scene.title(first, 'de')).toBe('Erster');
    expect(await scene.title(second)).toBe('Second');
    expect(await scene.live(leaving)).toBeUndefined();
    const noted = await records(id);
    expect(noted.map(({ action }) => action).sort()).toEqual([
      'entry.publish',
      'entry.publish',
      'entry.publish',
      'entry.unpublish',
      'release.publish',
    ]);
    expect(noted.map(({ context }) => context.cause?.action)).toEqual(noted.map(() => 'release.publish'));
    expect(await events('release.published', 'releaseId', id)).toEqual([
      { data: expect.objectContaining({ name: data.name, status: 'published', itemCount: 4 }) },
    ]);
    expect(await events('entry.published', 'entryId', first.id)).toHaveLength(2);
  });

  it('is found by search as a whole, however many entries it has', async () => {
    const shared = await scene.article({ title: 'Lighthouse' });
    const articles = [shared];
    while (articles.length < 60) articles.push(await scene.article({ title: 'Lighthouse' }));
    const first = await scene.release([entryItem(shared)]);
    await app().composition.jobs.indexSearch();
    await scene.published(first.id);
    const { id } = await scene.release(articles.map((article) => entryItem(article)));
    await scene.edit(shared, { fields: { title: 'Lighthouse again' } });
    await scene.published(id);
    await app().composition.jobs.indexSearch();
    const documents = await app().rows<{ entries: number; transactions: number }>(
      null,
      `SELECT count(DISTINCT entry_id)::int AS entries, count(DISTINCT xmin::text)::int AS transactions FROM search_documents
       WHERE stage = 'live' AND entry_id = ANY($1::uuid[])`,
      [articles.map((article) => article.id)],
    );
    expect(documents).toEqual([{ entries: 60, transactions: 1 }]);
  });

  it('has no effect a second time, and fixes the items', async () => {
    const article = await scene.article();
    const { id, items } = await scene.release([entryItem(article)]);
    const { data } = await scene.published(id);
    await scene.edit(article, { fields: { title: 'Later' } });
    expect(await scene.published(id)).toEqual({ data, meta: { dryRun: false, changes: [] } });
    expect(await scene.title(article)).toBe(article.fields.title);
    const other = { items: [entryItem(await scene.article())] };
    expect(outcome(await scene.desk.post(`/releases/${id}/items`, other))).toEqual([409, 'release_closed']);
    const path = `/releases/${id}/items/${items[0]?.id ?? ''}`;
    expect(outcome(await scene.desk.delete(path))).toEqual([409, 'release_closed']);
    expect(outcome(await scene.desk.post(`/releases/${id}/reopen`))).toEqual([409, 'release_closed']);
    expect(outcome(await scene.desk.post(`/releases/${id}/validate`))).toEqual([409, 'release_closed']);
  });

  it('publishes a pinned version instead of the draft, and keeps the draft', async () => {
    const article = await scene.article({ title: 'Version one' });
    await scene.edit(article, { slug: `two-${unique()}`, fields: { title: 'Version two' } });
    const { id } = await scene.release([entryItem(article, { pinnedVersion: 1 })]);
    const { meta } = await scene.published(id);
    expect(meta.changes).toMatchObject([{ fromVersion: null, toVersion: 1 }]);
    expect(await scene.live(article)).toMatchObject({
      _slug: article.slug,
      fields: { title: 'Version one' },
    });
    const draft = await scene.data(scene.desk.get(`/entries/${article.id}`));
    expect(draft).toMatchObject({
      version: 2,
      status: 'changed',
      fields: { title: 'Version two' },
      locales: [{ locale: 'en', publishedVersion: 1 }],
    });
  });

  it('publishes the latest draft of an item that is not pinned', async () => {
    const article = await scene.article({ title: 'Then' });
    const { id } = await scene.release([entryItem(article)]);
    await scene.edit(article, { fields: { title: 'Now' } });
    await scene.published(id);
    expect(await scene.title(article)).toBe('Now');
  });

  it('publishes nothing if one item is invalid or deleted, and names each such item', async () => {
    const good = await scene.article();
    const deleted = await scene.article();
    const { id, items } = await scene.release([
      entryItem(good),
      entryItem(await scene.article({})),
      entryItem(deleted),
      entryItem(await scene.article(), { locale: 'de' }),
    ]);
    await scene.data(scene.desk.delete(`/entries/${deleted.id}`));
    const refused = await scene.publish(id);
    const codes = ['entry_invalid', 'entry_not_found', 'entry_invalid'];
    expect(failure(refused)).toEqual({ status: 422, error: 'release_invalid', codes });
    const { details } = refused.body as {
      details: { items: { itemId: string; title: string | null; details: object }[] };
    };
    expect(details.items.map(({ itemId }) => itemId)).toEqual(items.slice(1).map((item) => item.id));
    expect(details.items[0]?.details).toMatchObject({
      issues: [{ path: ['fields', 'title'], code: 'required' }],
    });
    expect(details.items[1]?.title).toBeNull();
    expect(await scene.live(good)).toBeUndefined();
    expect(await scene.read(id)).toMatchObject({ status: 'open', publishedAt: null });
    const { data } = (await scene.desk.post(`/releases/${id}/validate`)).body as {
      data: { isPublishable: boolean; issues: { code: string }[] };
    };
    expect([data.isPublishable, data.issues.map(({ code }) => code)]).toEqual([false, codes]);
    expect(await scene.live(good)).toBeUndefined();
  });

  it('refuses a release without items', async () => {
    const { id } = await scene.release([]);
    expect(failure(await scene.publish(id))).toEqual({
      status: 422,
      error: 'release_invalid',
      codes: ['no_items'],
    });
  });

  it('warns of items that another open release has, and of links to what will not be published', async () => {
    const target = await scene.article({ title: 'Target' });
    const article = await scene.article({ title: 'Source', related: [{ _ref: target.id }] });
    const other = await scene.release([entryItem(article)], { name: 'The other' });
    const { id } = await scene.release([entryItem(article)]);
    const validate = async () => {
      const { warnings } = await scene.data<{ warnings: { code: string; message: string }[] }>(
        scene.desk.post(`/releases/${id}/validate`),
      );
      return warnings.map(({ code, message }) => [code, message]);
    };
    const offline = ['not_published', 'The entry “Target”, which it refers to, will not be published.'];
    expect(await validate()).toEqual([
      ['in_other_release', 'The release “The other” changes it too.'],
      offline,
    ]);
    await scene.data(scene.desk.delete(`/releases/${other.id}`));
    expect(await validate()).toEqual([offline]);
    await scene.data(scene.desk.post(`/releases/${id}/items`, { items: [entryItem(target)] }));
    expect(await validate()).toEqual([]);
  });

  it('needs the approval of a strict workflow, which a version has that was live', async () => {
    const states = [
      { key: 'draft', name: 'Draft', isInitial: true },
      { key: 'approved', name: 'Approved', allowsPublish: true },
    ];
    const strict = await ReleaseDesk.open(app());
    const article = await strict.article({ title: 'Live once' });
    await strict.publishEntry(article);
    const transitions = [{ from: 'draft', to: 'approved' }];
    const body = { name: 'Strict', enforcement: 'strict', contentTypes: ['article'], states, transitions };
    await strict.data(strict.desk.post('/workflows', body), 201);
    await strict.edit(article, { fields: { title: 'Second' } });
    await strict.edit(article, { fields: { title: 'Third' } });
    const [draft, never, once] = [
      await strict.release([entryItem(article)]),
      await strict.release([entryItem(article, { pinnedVersion: 2 })]),
      await strict.release([entryItem(article, { pinnedVersion: 1 })]),
    ];
    for (const { id } of [draft, never])
      expect(failure(await strict.publish(id))).toMatchObject({ codes: ['workflow_not_approved'] });
    await strict.published(once.id);
    await strict.data(strict.desk.post(`/entries/${article.id}/workflow`, { to: 'approved' }));
    expect(failure(await strict.publish(never.id))).toMatchObject({ codes: ['workflow_not_approved'] });
    await strict.published(draft.id);
    expect(await strict.title(article)).toBe('Third');
  });

  it('runs as many statements for a hundred items as for ten', async () => {
    const counts: number[] = [];
    for (const count of [10, 100]) {
      const articles = await Promise.all(Array.from({ length: count }, () => scene.article()));
      const { id } = await scene.release(articles.map((article) => entryItem(article)));
      await scene.published((await scene.release([entryItem(await scene.article())])).id);
      const { statements } = await app().recordStatements(() => scene.published(id));
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });
});
