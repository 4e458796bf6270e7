import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

let ahead = 0;
const app = useOwnApp({ clock: () => new Date(Date.now() + ahead) });

describe('POST api-keys/{id}/rotate', () => {
  verifies('access/key-rotation', 'access/key-secrets');

  it('returns a new secret and accepts the old one until the overlap ends', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    const { status, body } = await desk.post(`/api-keys/${id}/rotate`, { overlapSeconds: 3600 });
    const fresh = String(body.data.secret);
    expect([status, body.data.id, fresh === secret]).toEqual([200, id, false]);
    expect(body.data.lastFour).toBe(fresh.slice(-4));
    expect(body.data.overlapEndsAt).not.toBeNull();
    expect((await desk.get(`/api-keys/${id}`)).body.data.overlapEndsAt).toBe(body.data.overlapEndsAt);
    for (const one of [secret, fresh]) expect((await desk.as(one).get('/sites')).status).toBe(200);
    ahead = 3_601_000;
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_expired']);
    expect((await desk.as(fresh).get('/sites')).status).toBe(200);
    expect((await desk.get(`/api-keys/${id}`)).body.data.overlapEndsAt).toBeNull();
    ahead = 0;
  });

  it('invalidates the old secret at once without an overlap', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    expect((await desk.post(`/api-keys/${id}/rotate`)).status).toBe(200);
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_expired']);
  });

  it('accepts the latest two secrets only', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    const rotate = async () =>
      String((await desk.post(`/api-keys/${id}/rotate`, { overlapSeconds: 60 })).body.data.secret);
    const second = await rotate();
    const third = await rotate();
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'invalid_api_key']);
    for (const one of [second, third]) expect((await desk.as(one).get('/sites')).status).toBe(200);
  });

  it('invalidates both secrets when the key is revoked', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    await desk.post(`/api-keys/${id}/rotate`, { overlapSeconds: 60 });
    await desk.delete(`/api-keys/${id}`);
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_revoked']);
    expect(outcome(await desk.post(`/api-keys/${id}/rotate`))).toEqual([409, 'api_key_inactive']);
    expect(outcome(await desk.put(`/api-keys/${id}`, { name: 'X' }))).toEqual([409, 'api_key_inactive']);
  });

  it('does not let a key rotate one with more rights', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    const limited = desk.as(
      (await desk.newKey({ type: 'management', permissions: ['read', 'update'] })).secret,
    );
    expect(outcome(await limited.post(`/api-keys/${id}/rotate`))).toEqual([403, 'permission_denied']);
    expect(outcome(await limited.put(`/api-keys/${id}`, { expiresAt: null }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect((await desk.as(secret).get('/sites')).status).toBe(200);
  });

  it.each([-1, 604_801, '60'])('returns 422 for the overlap %j', async (overlapSeconds) => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'management' });
    expect((await desk.post(`/api-keys/${id}/rotate`, { overlapSeconds })).status).toBe(422);
  });
});

describe('PUT api-keys/{id}', () => {
  verifies('access/key-bounds', 'http/put-partial', 'access/revoked-and-expired-keys');

  it('changes name, description and bounds of a key and nothing else', async () => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'management', description: 'Old' });
    const change = { name: 'New', description: null, rateLimit: 5, ipAllowlist: ['10.0.0.0/8'] };
    expect((await desk.put(`/api-keys/${id}`, change)).body.data).toMatchObject(change);
    expect(outcome(await desk.put(`/api-keys/${id}`, {}))).toEqual([422, 'no_update_fields']);
    for (const body of [{ type: 'delivery' }, { permissions: ['read'] }, { draftOnly: true }])
      expect(outcome(await desk.put(`/api-keys/${id}`, body))).toEqual([422, 'read_only']);
    for (const body of [{ permissions: [] }, { draftOnly: false }])
      expect(outcome(await desk.put(`/api-keys/${id}`, body))).toEqual([422, 'no_update_fields']);
    expect(outcome(await desk.put(`/api-keys/${id}`, { secret: 'x' }))).toEqual([422, 'validation_failed']);
  });

  it('sets and extends the expiry of a key', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await desk.put(`/api-keys/${id}`, { expiresAt })).body.data).toMatchObject({ expiresAt });
    ahead = 61_000;
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_expired']);
    expect(outcome(await desk.post(`/api-keys/${id}/rotate`))).toEqual([409, 'api_key_inactive']);
    await desk.put(`/api-keys/${id}`, { expiresAt: null });
    expect((await desk.as(secret).get('/sites')).status).toBe(200);
    ahead = 0;
  });
});

describe('lastUsedAt', () => {
  verifies('access/key-last-used');

  it('saves times of last use after the requests, in one statement for all keys', async () => {
    const desk = await openDesk(app());
    const other = await openDesk(app());
    const keys = [
      await desk.newKey({ type: 'management' }),
      await desk.newKey({ type: 'management' }),
      await other.newKey({ type: 'management' }),
    ];
    const startedAt = Date.now();
    const used = await app().recordStatements(async () => {
      for (const [index, key] of keys.entries())
        await (index === 2 ? other : desk).as(key.secret).get('/sites');
    });
    expect(used.statements.filter((sql) => /note_api_key_uses|UPDATE/.test(sql))).toEqual([]);
    const flushed = await app().recordStatements(() => app().composition.jobs.flushKeyUses());
    expect(flushed.statements.filter((sql) => sql.includes('note_api_key_uses'))).toHaveLength(1);
    for (const [index, { id }] of keys.entries()) {
      const { body } = await (index === 2 ? other : desk).get(`/api-keys/${id}`);
      expect(Date.parse(body.data.lastUsedAt as string)).toBeGreaterThan(startedAt - 60_000);
    }
  });

  it('keeps the time of last use while a key is updated', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    await desk.as(secret).get('/sites');
    await app().composition.jobs.flushKeyUses();
    expect((await desk.put(`/api-keys/${id}`, { name: 'X' })).body.data.lastUsedAt).not.toBeNull();
    expect((await desk.get(`/api-keys/${id}`)).body.data.lastUsedAt).not.toBeNull();
  });
});
