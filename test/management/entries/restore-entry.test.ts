import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from './history.js';

const app = useApp();

describe('200', () => {
  verifies('entries/further-operations', 'entries/versions-restore', 'entries/versions-restore-equal');

  it('appends the content of an earlier version without publishing it', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { title: 'Two', code: 'B' } });
    await publish(app(), desk.project, id);
    const { status, body } = await desk.post(`/entries/${id}/restore`, { versionNum: 1, comment: 'Back.' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version: 3,
      status: 'changed',
      slug: 'one',
      fields: { title: 'One', code: 'A' },
      locales: [{ locale: 'en', publishedVersion: 2 }],
    });
    expect((await desk.get(`/entries/${id}/versions/3`)).body.data).toMatchObject({
      changeType: 'restore',
      changedFields: ['code', 'title'],
      comment: 'Back.',
    });
  });

  it('accepts the version in the path', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { fields: { title: 'Two' } });
    const { body } = await desk.post(`/entries/${id}/versions/1/restore`);
    expect(body.data).toMatchObject({ version: 3, fields: { title: 'One' } });
  });

  it('restores several locales in one version and keeps later ones', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    await change(desk, id, { fields: { title: 'Two', code: 'B' } });
    await change(desk, id, { locale: 'de', fields: { title: 'Zwei' } });
    await change(desk, id, { locale: 'fr', fields: { title: 'Deux' } });
    expect((await desk.post(`/entries/${id}/restore`, { versionNum: 2 })).body.data.version).toBe(6);
    expect((await now(desk, id, '?locale=en')).fields).toEqual({ title: 'One', code: 'A' });
    expect((await now(desk, id, '?locale=de')).fields).toEqual({ title: 'Eins', code: 'A' });
    expect((await now(desk, id, '?locale=fr')).fields).toEqual({ title: 'Deux', code: 'A' });
    const { data } = (await desk.get(`/entries/${id}/versions/6`)).body;
    expect([data.locale, data.locales]).toEqual([null, ['de', 'en']]);
  });

  it('restores one locale without shared values and other locales', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    await change(desk, id, { fields: { title: 'Two', code: 'B' } });
    await change(desk, id, { locale: 'de', fields: { title: 'Zwei' } });
    const { body } = await desk.post(`/entries/${id}/restore`, { versionNum: 2, locale: 'de' });
    expect(body.data).toMatchObject({ version: 5, locale: 'de', fields: { title: 'Eins', code: 'B' } });
    expect((await now(desk, id)).fields).toEqual({ title: 'Two', code: 'B' });
  });

  it('appends a version when the content is already that of the version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await publish(app(), desk.project, id);
    const { body } = await desk.post(`/entries/${id}/restore`, { versionNum: 1, comment: 'As it was.' });
    expect(body.data).toMatchObject({ version: 2, status: 'published', fields: { title: 'One' } });
    expect((await desk.get(`/entries/${id}/versions/2`)).body.data).toMatchObject({
      changeType: 'restore',
      locales: ['en'],
      changedFields: [],
      comment: 'As it was.',
    });
  });

  it('appends a version in the requested locale when its content is equal', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    const { body } = await desk.post(`/entries/${id}/restore`, { versionNum: 2, locale: 'de' });
    expect(body.data.version).toBe(3);
    const { data } = (await desk.get(`/entries/${id}/versions/3`)).body;
    expect([data.locale, data.changedFields]).toEqual(['de', []]);
  });

  it('numbers a slug that another entry has taken since', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { slug: 'moved' });
    await article(desk, { title: 'One' });
    const { body } = await desk.post(`/entries/${id}/restore`, { versionNum: 1 });
    expect(body.data.slug).toBe('one-2');
  });

  it('omits deleted fields and restores the links of remaining ones', async () => {
    const desk = await openDesk(app());
    const target = await article(desk, { title: 'Target' });
    const { id } = await article(desk, { title: 'One', code: 'A', related: [{ _ref: target.id }] });
    await change(desk, id, { fields: { title: 'Two', related: null } });
    await desk.delete('/content-types/article/fields/code?force=true');
    const { body } = await desk.post(`/entries/${id}/restore`, { versionNum: 1 });
    expect(body.data.fields).toEqual({ title: 'One', related: [{ _ref: target.id, _type: 'article' }] });
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(1);
  });

  it('emits one event and writes one audit record', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { fields: { title: 'Two' } });
    await desk.post(`/entries/${id}/restore`, { versionNum: 1 });
    const events = await app().rows<{ type: string }>(
      desk.project.tenantId,
      "SELECT type FROM outbox_events WHERE payload -> 'data' ->> 'entryId' = $1 ORDER BY id",
      [id],
    );
    expect(events.map(({ type }) => type)).toEqual(['entry.created', 'entry.updated', 'entry.restored']);
  });
});

describe('refusals', () => {
  verifies('entries/versions-restore', 'http/missing-things');

  it('returns 404 for an unknown entry, version or locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const restore = (entry: string, body: object) => desk.post(`/entries/${entry}/restore`, body);
    expect(outcome(await restore('nothing', { versionNum: 1 }))).toEqual([404, 'entry_not_found']);
    expect(outcome(await restore(id, { versionNum: 2 }))).toEqual([404, 'version_not_found']);
    expect(outcome(await restore(id, { versionNum: 1, locale: 'xx' }))).toEqual([404, 'locale_not_found']);
    const unwritten = await restore(id, { versionNum: 1, locale: 'de' });
    expect([...outcome(unwritten), unwritten.body.details.path]).toEqual([
      404,
      'version_not_found',
      ['locale'],
    ]);
    expect(outcome(await desk.post(`/entries/${id}/versions/x/restore`))).toEqual([404, 'version_not_found']);
    await desk.delete(`/entries/${id}`);
    expect(outcome(await restore(id, { versionNum: 1 }))).toEqual([404, 'entry_not_found']);
  });

  it('returns 409 for an outdated version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { fields: { title: 'Two' } });
    const stale = await desk.post(`/entries/${id}/restore`, { versionNum: 1, version: 1 });
    expect(outcome(stale)).toEqual([409, 'version_conflict']);
  });

  it('returns 422 for values that the field no longer accepts', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { code: null } });
    await desk.delete('/content-types/article/fields/code?force=true');
    await desk.post('/content-types/article/fields', { apiName: 'code', type: 'integer' });
    const response = await desk.post(`/entries/${id}/restore`, { versionNum: 1 });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response).map(([path]) => path)).toEqual(['fields.code']);
    expect((await now(desk, id)).version).toBe(2);
  });

  it('returns 422 for a missing or malformed version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    for (const body of [{}, { versionNum: '1' }, { versionNum: 0 }, { versionNum: 1.5 }])
      expect(outcome(await desk.post(`/entries/${id}/restore`, body))).toEqual([422, 'validation_failed']);
  });
});
