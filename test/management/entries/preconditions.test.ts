import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from './history.js';

const app = useApp();

function matching(
  desk: Desk,
  call: { method: 'put' | 'post' | 'delete'; path: string; tag: string; body?: object },
) {
  const request = app().request[call.method](`${desk.project.management}${call.path}`);
  const guarded = request
    .set('Authorization', `Bearer ${desk.project.keys.management}`)
    .set('If-Match', call.tag);
  return Promise.resolve(call.body === undefined ? guarded : guarded.send(call.body)) as Promise<Response>;
}

describe('ETag', () => {
  verifies('entries/preconditions');

  it('returns the version as ETag on reads and writes', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect((await desk.get(`/entries/${id}`)).headers.etag).toBe('"1"');
    expect((await change(desk, id, { fields: { title: 'Two' } })).headers.etag).toBe('"2"');
    expect((await desk.get('/entries')).headers.etag).toBeUndefined();
  });
});

describe('If-Match', () => {
  verifies('entries/preconditions');
  const body = { fields: { title: 'Two' } };

  it('accepts If-Match instead of a version in the body', async () => {
    const desk = await openDesk(app());
    const path = `/entries/${(await article(desk)).id}`;
    const { status, body: answer } = await matching(desk, { method: 'put', path, tag: '"1"', body });
    expect([status, answer.data.version]).toEqual([200, 2]);
  });

  it.each(['"1"', '"7"', 'W/"2"', '2', '""', '"x", W/"2"'])(
    'returns 412 for If-Match %s on version 2',
    async (tag) => {
      const desk = await openDesk(app());
      const { id } = await article(desk);
      await change(desk, id, { fields: { title: 'Changed' } });
      const response = await matching(desk, { method: 'put', path: `/entries/${id}`, tag, body });
      expect(outcome(response)).toEqual([412, 'precondition_failed']);
      expect((await now(desk, id)).fields.title).toBe('Changed');
    },
  );

  it('returns 412 when header and body name different versions', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const both = { ...body, version: 1 };
    const response = await matching(desk, { method: 'put', path: `/entries/${id}`, tag: '"2"', body: both });
    expect(outcome(response)).toEqual([412, 'precondition_failed']);
  });

  it('accepts any version with * and one of several tags', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    for (const [tag, version] of [
      ['*', 1],
      ['"9", "2"', 2],
    ] as const) {
      const given = { version, fields: { title: `Title ${tag}` } };
      expect((await matching(desk, { method: 'put', path: `/entries/${id}`, tag, body: given })).status).toBe(
        200,
      );
    }
  });

  it('checks If-Match on deletion and publication', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await change(desk, id, { fields: { title: 'Two' } });
    const tag = '"1"';
    const calls = [
      { method: 'post', path: `/entries/${id}/publish`, tag, body: {} },
      { method: 'delete', path: `/entries/${id}`, tag },
    ] as const;
    for (const call of calls)
      expect(outcome(await matching(desk, call))).toEqual([412, 'precondition_failed']);
    for (const call of calls) expect((await matching(desk, { ...call, tag: '"2"' })).status).toBe(200);
  });

  it('returns 404 for a missing entry despite If-Match', async () => {
    const desk = await openDesk(app());
    const response = await matching(desk, { method: 'put', path: '/entries/nothing', tag: '"1"', body });
    expect(outcome(response)).toEqual([404, 'entry_not_found']);
  });
});

describe('mergeStrategy "disjoint"', () => {
  verifies('entries/preconditions', 'entries/version-conflict');
  const stale = (desk: Desk, id: string, body: object) =>
    desk.put(`/entries/${id}`, { version: 1, mergeStrategy: 'disjoint', ...body });

  it('merges a change on an outdated version that does not overlap', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { title: 'Two' } });
    const { status, body } = await stale(desk, id, { fields: { code: 'B' } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ version: 3, fields: { title: 'Two', code: 'B' } });
  });

  it('merges a change to another locale than the changed one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    await change(desk, id, { fields: { title: 'Two' } });
    const { body } = await stale(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    expect(body.data).toMatchObject({ version: 3, locale: 'de', fields: { title: 'Eins' } });
  });

  it('returns 409 when changes overlap in a field or the slug, unless the values are equal', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { title: 'Two' }, slug: 'two' });
    for (const body of [{ fields: { title: 'Mine' } }, { fields: { title: null } }, { slug: 'mine' }])
      expect(outcome(await stale(desk, id, body))).toEqual([409, 'version_conflict']);
    const same = await stale(desk, id, { fields: { title: 'Two', code: 'B' }, slug: 'two' });
    expect(same.body.data).toMatchObject({ version: 3, fields: { title: 'Two', code: 'B' } });
  });

  it('returns 409 for a future version and 422 for an unknown strategy', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(outcome(await stale(desk, id, { version: 5, fields: { code: 'B' } }))).toEqual([
      409,
      'version_conflict',
    ]);
    const mine = await stale(desk, id, { mergeStrategy: 'mine', fields: { code: 'B' } });
    expect(outcome(mine)).toEqual([422, 'validation_failed']);
  });
});
