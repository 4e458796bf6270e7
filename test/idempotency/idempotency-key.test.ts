import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useOwnApp } from '../support/desk.js';
import { superAdmin, unique } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { article, entryCount, postOnce } from './desk.js';

let ahead = 0;
const app = useOwnApp({ clock: () => new Date(Date.now() + ahead) });

describe('A POST with an Idempotency-Key', () => {
  verifies('http/idempotency');

  it('applies a POST with an Idempotency-Key once and repeats its response', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const first = await postOnce(desk, '/entries', { key, body: article(desk) });
    const again = await postOnce(desk, '/entries', { key, body: article(desk) });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.location).toBe(first.headers.location);
    expect(await entryCount(desk)).toBe(1);
    const records = await app().rows(
      desk.project.tenantId,
      "SELECT 1 FROM audit_events WHERE tenant_id = $1 AND action = 'entry.create'",
      [desk.project.tenantId],
    );
    expect(records).toHaveLength(1);
  });

  it('ignores the order of keys in the body, and rejects another body under the same Idempotency-Key', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const body = article(desk);
    await postOnce(desk, '/entries', { key, body });
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await postOnce(desk, '/entries', { key, body: turned })).headers['idempotent-replayed']).toBe(
      'true',
    );
    const other = await postOnce(desk, '/entries', { key, body: article(desk, 'Twice') });
    expect(outcome(other)).toEqual([422, 'idempotency_key_reused']);
    expect(await entryCount(desk)).toBe(1);
  });

  it('distinguishes Idempotency-Keys by path and credential', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const { id } = (await postOnce(desk, '/entries', { key, body: article(desk) })).body.data as {
      id: string;
    };
    expect((await postOnce(desk, `/entries/${id}/duplicate`, { key })).status).toBe(201);
    const { secret } = await desk.newKey({ type: 'management' });
    await postOnce(desk, '/entries', { key, body: article(desk), credential: secret });
    expect(await entryCount(desk)).toBe(3);
  });

  it('stores failures of the operation under the Idempotency-Key, but none that precede it', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const missing = { slug: 'second', name: 'Second', locales: ['xx'] };
    const refused = await postOnce(desk, '/sites', { key, body: missing });
    expect(refused.status).toBe(404);
    const again = await postOnce(desk, '/sites', { key, body: missing });
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([refused.body, 'true']);
    const fresh = unique();
    expect((await postOnce(desk, '/entries', { key: fresh, body: { nonsense: 1 } })).status).toBe(422);
    expect((await postOnce(desk, '/entries', { key: fresh, body: article(desk) })).status).toBe(201);
    const denied = await postOnce(desk, '/entries', {
      key: unique(),
      credential: desk.project.keys.delivery,
    });
    expect(denied.status).toBe(403);
  });

  it('applies a POST again a day after its Idempotency-Key was used', async () => {
    const desk = await openDesk(app());
    const key = unique();
    await postOnce(desk, '/entries', { key, body: article(desk) });
    ahead = 24 * 3_600_000 + 1000;
    await app().composition.jobs.prune();
    const kept = await app().rows(null, 'SELECT 1 FROM idempotent_replies');
    expect(kept).toEqual([]);
    expect(
      (await postOnce(desk, '/entries', { key, body: article(desk) })).headers['idempotent-replayed'],
    ).toBe(undefined);
    expect(await entryCount(desk)).toBe(2);
    ahead = 0;
  });

  it('accepts Idempotency-Keys on platform operations, and isolates their replies', async () => {
    const token = await superAdmin(app());
    const key = unique();
    const create = () =>
      app()
        .request.post('/api/v1/platform/tenants')
        .set({ Authorization: `Bearer ${token}`, 'Idempotency-Key': key })
        .send({ slug: `tenant-${key}`, name: 'Tenant' });
    const first = await create();
    const again = await create();
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('stores no readable secret in kept replies', async () => {
    const desk = await openDesk(app());
    const key = unique();
    const body = { name: 'K', type: 'management' };
    const first = await postOnce(desk, '/api-keys', { key, body });
    const again = await postOnce(desk, '/api-keys', { key, body });
    expect(again.body.data.secret).toBe(first.body.data.secret);
    const rows = await app().rows<{ reply: Buffer }>(null, 'SELECT reply FROM idempotent_replies');
    const stored = Buffer.concat(rows.map(({ reply }) => reply)).toString('latin1');
    expect(rows.length).toBeGreaterThan(0);
    expect(stored).not.toContain(first.body.data.secret);
    expect(stored).not.toContain(first.body.data.id);
  });

  it.each(['', 'with space', 'x'.repeat(256), 'ünïcode'])('rejects the Idempotency-Key %j', async (key) => {
    const desk = await openDesk(app());
    const headers = { Authorization: `Bearer ${desk.project.keys.management}`, 'Idempotency-Key': key };
    const answer = await fetch(`${app().baseUrl}${desk.project.management}/entries`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(article(desk)),
    }).then(
      async (response) => ({ status: response.status, body: await response.json() }),
      // Node's client rejects invalid headers itself.
      () => undefined,
    );
    if (answer !== undefined) {
      expect(outcome(answer as never)).toEqual([422, 'validation_failed']);
      expect(issues(answer as never)).toEqual([['Idempotency-Key', 'invalid_format']]);
    }
    expect(await entryCount(desk)).toBe(0);
  });
});
