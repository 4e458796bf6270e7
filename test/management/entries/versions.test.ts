import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from './history.js';

const app = useOwnApp();

describe('GET versions', () => {
  verifies('entries/further-operations', 'entries/versions', 'entries/versions-publications');

  it('lists every content change and nothing else, latest first', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { title: 'Two' }, comment: 'Better.' });
    await change(desk, id, { fields: { title: 'Two' } });
    await change(desk, id, { locale: 'de', fields: { title: 'Zwei' } });
    await desk.post(`/entries/${id}/publish`, {});
    const { status, body } = await desk.get(`/entries/${id}/versions`);
    expect(status).toBe(200);
    expect(body.meta).toEqual({ total: 3, page: 1, limit: 25, pages: 1 });
    expect(body.data).toMatchObject([
      {
        versionNum: 3,
        changeType: 'update',
        locale: 'de',
        locales: ['de'],
        changedFields: ['title', '_slug'],
      },
      { versionNum: 2, changeType: 'update', locale: 'en', comment: 'Better.', changedFields: ['title'] },
      { versionNum: 1, changeType: 'create', locale: 'en', comment: null, changedFields: ['title', 'code'] },
    ]);
    expect(body.data[0].createdBy).toMatchObject({ type: 'api_key', name: 'management' });
  });

  it('pages versions in both orders', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: '1' });
    for (const title of ['2', '3']) await change(desk, id, { fields: { title } });
    const second = await desk.get(`/entries/${id}/versions?limit=1&page=2`);
    expect([column(second, 'versionNum'), second.body.meta.pages]).toEqual([[2], 3]);
    const oldest = await desk.get(`/entries/${id}/versions?orderBy=createdAt:asc&limit=2`);
    expect(column(oldest, 'versionNum')).toEqual([1, 2]);
  });

  it('lists publications of a version with time and actor', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await desk.post(`/entries/${id}/publish`, {});
    await desk.post(`/entries/${id}/publish`, {});
    await change(desk, id, { fields: { title: 'Two' } });
    await desk.post(`/entries/${id}/unpublish`, {});
    await desk.post(`/entries/${id}/publish`, {});
    const { body } = await desk.get(`/entries/${id}/versions`);
    const [second, first] = body.data;
    expect([second.isPublished, first.isPublished]).toEqual([true, false]);
    expect(second.publications).toMatchObject([{ locale: 'en', kind: 'publish' }]);
    expect(first.publications).toMatchObject([
      { locale: 'en', kind: 'publish', by: { type: 'api_key' } },
      { locale: 'en', kind: 'unpublish' },
    ]);
    expect(first.publications[0].at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  });

  it('keeps the comments of publish and unpublish on the publication and in the audit record', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await desk.post(`/entries/${id}/publish`, { comment: 'Approved.' });
    await desk.post(`/entries/${id}/unpublish`, { comment: 'Out of date.' });
    await desk.post(`/entries/${id}/publish`, {});
    const comments = ['Approved.', 'Out of date.', null];
    const { body } = await desk.get(`/entries/${id}/versions/1`);
    expect(body.data.publications.map(({ comment }: { comment: unknown }) => comment)).toEqual(comments);
    const records = await app().rows<{ comment: string | null }>(
      desk.project.tenantId,
      `SELECT after ->> 'comment' AS comment FROM audit_events
       WHERE action IN ('entry.publish', 'entry.unpublish') AND target ->> 'id' = $1 ORDER BY at`,
      [id],
    );
    expect(records.map(({ comment }) => comment)).toEqual(comments);
  });

  it('keeps the comment of a scheduled publication', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    await desk.post(`/entries/${id}/publish`, { scheduledAt, comment: 'At noon.' });
    await app().rows(
      desk.project.tenantId,
      "UPDATE scheduled_jobs SET next_attempt_at = now() - interval '1 s'",
    );
    await app().composition.jobs.runDue();
    const { body } = await desk.get(`/entries/${id}/versions/1`);
    expect(body.data.publications).toMatchObject([{ kind: 'publish', comment: 'At noon.' }]);
  });

  it('records that a deletion unpublished a version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.post(`/entries/${id}/publish`, {});
    await desk.delete(`/entries/${id}`);
    expect(outcome(await desk.get(`/entries/${id}/versions`))).toEqual([404, 'entry_not_found']);
    const { body } = await desk.get(`/entries/${id}/versions?deleted=true`);
    expect(body.data[0].publications).toMatchObject([{ kind: 'publish' }, { kind: 'unpublish' }]);
  });

  it('returns 404 for the versions of an unknown entry', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/entries/nothing/versions'))).toEqual([404, 'entry_not_found']);
  });
});

describe('GET versions/{versionNum}', () => {
  verifies('entries/versions');

  it('returns the complete entry as of the version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    await change(desk, id, { fields: { title: 'Two', code: 'B' }, slug: 'two' });
    const at = async (version: number) => (await desk.get(`/entries/${id}/versions/${version}`)).body.data;
    expect((await at(1)).snapshot).toEqual({
      slug: 'one',
      slugs: { en: 'one' },
      fields: { en: { title: 'One', code: 'A' } },
    });
    expect((await at(2)).snapshot.fields).toEqual({
      en: { title: 'One', code: 'A' },
      de: { title: 'Eins', code: 'A' },
    });
    expect(await at(3)).toMatchObject({
      versionNum: 3,
      changeType: 'update',
      snapshot: {
        slug: 'two',
        slugs: { en: 'two', de: 'eins' },
        fields: { en: { title: 'Two', code: 'B' }, de: { title: 'Eins', code: 'B' } },
      },
    });
  });

  it.each(['0', '2', '01', '1.0', 'x', '-1', '99999999999', '%00'])(
    'returns 404 for version %s',
    async (version) => {
      const desk = await openDesk(app());
      const { id } = await article(desk);
      expect(outcome(await desk.get(`/entries/${id}/versions/${version}`))).toEqual([
        404,
        'version_not_found',
      ]);
    },
  );

  it('returns versions of a deleted entry on request', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    expect(outcome(await desk.get(`/entries/${id}/versions/1`))).toEqual([404, 'entry_not_found']);
    expect((await desk.get(`/entries/${id}/versions/1?deleted=true`)).status).toBe(200);
  });
});

describe('GET versions/diff', () => {
  verifies('entries/versions');

  it('lists differences in shared values first, then by locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    await change(desk, id, { fields: { title: 'Two', code: 'B' } });
    const { body } = await desk.get(`/entries/${id}/versions/diff?from=1`);
    expect(body.data).toEqual({
      from: 1,
      to: 3,
      changes: [
        { locale: null, field: 'code', from: 'A', to: 'B' },
        { locale: 'en', field: 'title', from: 'One', to: 'Two' },
        { locale: 'de', field: '_slug', from: null, to: 'eins' },
        { locale: 'de', field: 'title', from: null, to: 'Eins' },
      ],
    });
    expect((await desk.get(`/entries/${id}/versions/diff?from=2&to=2`)).body.data.changes).toEqual([]);
  });

  it('returns 404 for an unknown version and 422 for a malformed one, with the parameter', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const missing = await desk.get(`/entries/${id}/versions/diff?from=1&to=7`);
    expect([...outcome(missing), missing.body.details.path]).toEqual([404, 'version_not_found', ['to']]);
    for (const query of ['', '?from=0', '?from=x', '?from=1&to=2.5'])
      expect(outcome(await desk.get(`/entries/${id}/versions/diff${query}`))).toEqual([
        422,
        'validation_failed',
      ]);
  });
});
