import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('DELETE api-keys/{id}', () => {
  verifies('access/keys', 'access/revoked-and-expired-keys');

  it('revokes a key at once and keeps its row', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    const { status, body } = await desk.delete(`/api-keys/${id}`);
    expect([status, body.data.id]).toEqual([200, id]);
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_revoked']);
    const listed = (await desk.get('/api-keys')).body.data as { id: string }[];
    expect(listed.find((key) => key.id === id)).toMatchObject({
      status: 'revoked',
      revokedAt: body.data.revokedAt,
    });
  });

  it('changes nothing the second time a key is revoked', async () => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'delivery' });
    const first = await desk.delete(`/api-keys/${id}`);
    expect((await desk.delete(`/api-keys/${id}`)).body).toEqual(first.body);
  });

  it('lets a key revoke itself', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'management' });
    expect((await desk.as(secret).delete(`/api-keys/${id}`)).status).toBe(200);
    expect(outcome(await desk.as(secret).get('/sites'))).toEqual([401, 'api_key_revoked']);
  });

  it.each(['nothing', '0198c0de-0000-7000-8000-000000000000'])('returns 404 for %s', async (id) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.delete(`/api-keys/${id}`))).toEqual([404, 'api_key_not_found']);
  });
});

describe('GET api-keys', () => {
  verifies('access/keys', 'lists/pages', 'access/key-secrets');

  it('pages, sorts and searches the keys of the project only', async () => {
    const [desk] = [await openDesk(app()), await openDesk(app())];
    await desk.newKey({ type: 'delivery', name: 'Zulu' });
    const names = async (query: string) => column(await desk.get(`/api-keys?${query}`), 'name');
    expect(await names('orderBy=name:asc')).toEqual(['delivery', 'management', 'preview', 'Zulu']);
    expect(await names('q=zul')).toEqual(['Zulu']);
    expect(await names('limit=1&page=2&orderBy=name:desc')).toEqual(['preview']);
    const { body, text } = await desk.get('/api-keys');
    expect(body.meta).toEqual({ total: 4, page: 1, limit: 25, pages: 1 });
    expect(text).not.toMatch(/secret|hash/i);
  });

  it('shows an expired key as expired', async () => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'delivery' });
    await app().rows(
      desk.project.tenantId,
      "UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1",
      [id],
    );
    const listed = (await desk.get('/api-keys')).body.data as { id: string }[];
    expect(listed.find((key) => key.id === id)).toMatchObject({ status: 'expired' });
  });
});
