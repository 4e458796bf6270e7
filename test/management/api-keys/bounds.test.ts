import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const bounds = {
  rateLimit: 42,
  ipAllowlist: ['127.0.0.0/8', '2001:db8::/32'],
  draftOnly: true,
  toolsets: ['content', 'media'],
  description: 'For the newsroom.',
};

async function draftDesk(): Promise<{ desk: Desk; drafts: Desk }> {
  const desk = await openDesk(app());
  const { secret } = await desk.newKey({ type: 'management', draftOnly: true });
  return { desk, drafts: desk.as(secret) };
}

describe('The bounds of a key', () => {
  verifies('access/key-bounds', 'access/keys');

  it('returns the bounds of a key', async () => {
    const desk = await openDesk(app());
    const made = await desk.post('/api-keys', { name: 'K', type: 'management', ...bounds });
    expect(made.body.data).toMatchObject(bounds);
    const read = await desk.get(`/api-keys/${String(made.body.data.id)}`);
    const { secret: _secret, ...shown } = made.body.data as Record<string, unknown>;
    expect(read.body.data).toEqual(shown);
  });

  it('sets no bounds by default', async () => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'delivery' });
    expect((await desk.get(`/api-keys/${id}`)).body.data).toMatchObject({
      rateLimit: null,
      ipAllowlist: [],
      draftOnly: false,
      toolsets: [],
      overlapEndsAt: null,
    });
  });

  it.each([
    [{ rateLimit: 0 }, 'rateLimit'],
    [{ rateLimit: 600_001 }, 'rateLimit'],
    [{ rateLimit: 1.5 }, 'rateLimit'],
    [{ ipAllowlist: ['localhost'] }, 'ipAllowlist.0'],
    [{ ipAllowlist: ['10.0.0.1', '10.0.0.0/33'] }, 'ipAllowlist.1'],
    [{ ipAllowlist: ['10.0.0.1/8'] }, 'ipAllowlist.0'],
    [{ ipAllowlist: ['010.0.0.1'] }, 'ipAllowlist.0'],
    [{ ipAllowlist: ['fe80::1%eth0'] }, 'ipAllowlist.0'],
    [{ ipAllowlist: Array.from({ length: 51 }, (_, index) => `10.0.0.${String(index)}`) }, 'ipAllowlist'],
    [{ draftOnly: 'yes' }, 'draftOnly'],
    [{ requireConfirmation: 1 }, 'requireConfirmation'],
    [{ toolsets: ['content', 'users'] }, 'toolsets.1'],
    [{ toolsets: 'content' }, 'toolsets'],
  ])('returns 422 for the bounds %j', async (body, path) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/api-keys', { name: 'K', type: 'management', ...body });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });

  it.each([
    [{ expiresAt: '2031-01-01T00:00:00.000Z' }, { expiresAt: '2030-01-01T00:00:00.000Z' }],
    [{ expiresAt: null }, { expiresAt: '2030-01-01T00:00:00.000Z' }],
    [{ ipAllowlist: [] }, { ipAllowlist: ['127.0.0.0/8'] }],
    [{ ipAllowlist: ['0.0.0.0/0'] }, { ipAllowlist: ['127.0.0.0/8'] }],
    [{ toolsets: [] }, { toolsets: ['content', 'media'] }],
    [{ toolsets: ['content', 'structure'] }, { toolsets: ['content', 'media'] }],
  ])('does not allow the bounds %j for a key created by a key with %j', async (wanted, own) => {
    const desk = await openDesk(app());
    const limited = desk.as((await desk.newKey({ type: 'management', ...own })).secret);
    const answer = await limited.post('/api-keys', { name: 'K', type: 'management', ...own, ...wanted });
    expect(outcome(answer)).toEqual([403, 'permission_denied']);
    expect((await limited.post('/api-keys', { name: 'K', type: 'management', ...own })).status).toBe(201);
  });

  it('sets the toolsets of a key, once each, and does not widen them for a key with fewer', async () => {
    const desk = await openDesk(app());
    const { id } = await desk.newKey({ type: 'management', toolsets: ['media', 'media'] });
    const path = `/api-keys/${id}`;
    const limited = desk.as((await desk.newKey({ type: 'management', toolsets: ['media'] })).secret);
    expect((await desk.get(path)).body.data.toolsets).toEqual(['media']);
    const widened = await limited.put(path, { toolsets: ['media', 'content'] });
    expect(outcome(widened)).toEqual([403, 'permission_denied']);
    const changed = await desk.put(path, { toolsets: ['content', 'content', 'media'] });
    expect(changed.body.data.toolsets).toEqual(['content', 'media']);
    expect((await desk.put(path, { toolsets: [] })).body.data.toolsets).toEqual([]);
    expect(outcome(await limited.put(path, { name: 'Renamed' }))).toEqual([403, 'permission_denied']);
  });
});

describe('A key of an environment', () => {
  verifies('access/key-bounds', 'access/key-limits');

  it('creates no keys and changes nothing else that belongs to no environment', async () => {
    const desk = await openDesk(app());
    const bound = desk.as((await desk.newKey({ type: 'management', environment: 'main' })).secret);
    const refused = [
      await bound.post('/api-keys', { name: 'K', type: 'management', environment: 'main' }),
      await bound.post('/sites', { slug: 'x', name: 'X' }),
      await bound.put(`/sites/${desk.project.siteId}`, { name: 'X' }),
      await bound.delete(`/sites/${desk.project.siteId}`),
      await bound.post('/webhooks', { name: 'W', url: 'https://example.com/', events: ['*'] }),
      await bound.post('/roles', { name: 'R' }),
      await bound.post('/users', { email: 'someone@example.com' }),
      await bound.post('/ip-allowlist', { cidr: '127.0.0.1' }),
      await bound.post('/views', { name: 'V', resource: 'entries' }),
    ];
    for (const answer of refused) expect(outcome(answer)).toEqual([403, 'permission_denied']);
  });

  it('reads what belongs to no environment and writes content and content types', async () => {
    const desk = await openDesk(app());
    const bound = desk.as((await desk.newKey({ type: 'management', environment: 'main' })).secret);
    for (const path of ['/sites', '/api-keys', '/webhooks', '/roles', '/users', '/ip-allowlist', '/views'])
      expect([path, (await bound.get(path)).status]).toEqual([path, 200]);
    const type = await bound.post('/content-types', { apiName: 'leaflet', name: 'Leaflet' });
    const entry = await bound.post('/entries', {
      contentTypeApiName: 'leaflet',
      siteId: desk.project.siteId,
    });
    expect([type.status, entry.status]).toEqual([201, 201]);
  });
});

describe('A key for drafts only', () => {
  verifies('access/key-bounds');

  it('lets a draft-only key write and delete drafts', async () => {
    const { desk, drafts } = await draftDesk();
    const body = { contentTypeApiName: 'article', siteId: desk.project.siteId };
    const made = await drafts.post('/entries', body);
    expect(made.status).toBe(201);
    const path = `/entries/${String(made.body.data.id)}`;
    expect((await drafts.put(path, { version: 1, fields: { title: 'Draft' } })).status).toBe(200);
    expect((await drafts.delete(path)).status).toBe(200);
  });

  it('lets a draft-only key change the draft of a published entry without changing delivery', async () => {
    const { desk, drafts } = await draftDesk();
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Live' },
    });
    await publish(app(), desk.project, id);
    const path = `/entries/${id}`;
    expect((await drafts.put(path, { version: 1, fields: { title: 'Next' } })).status).toBe(200);
    const refused = [
      await drafts.post(`${path}/publish`),
      await drafts.post(`${path}/publish`, { scheduledAt: '2031-01-01T00:00:00Z' }),
      await drafts.post(`${path}/unpublish`),
      await drafts.delete(path),
      await drafts.put(path, { version: 2, treeParentId: null }),
    ];
    for (const answer of refused) expect(outcome(answer)).toEqual([403, 'permission_denied']);
    const bulk = async (action: string) =>
      (await drafts.post('/entries/bulk', { action, entryIds: [id] })).body.data.results as unknown;
    for (const action of ['publish', 'unpublish', 'delete'])
      expect(await bulk(action)).toMatchObject([{ ok: false, error: 'permission_denied' }]);
    expect((await desk.get(path)).body.data).toMatchObject({ status: 'changed', deletedAt: null });
  });

  it('denies a draft-only key everything but entries', async () => {
    const { drafts } = await draftDesk();
    const refused = [
      await drafts.post('/sites', { slug: 'x', name: 'X' }),
      await drafts.put('/content-types/article', { name: 'X' }),
      await drafts.post('/api-keys', { name: 'K', type: 'management', draftOnly: true }),
      await drafts.post('/redirects', { source: '/a', target: '/b' }),
    ];
    for (const answer of refused) expect(outcome(answer)).toEqual([403, 'permission_denied']);
    expect((await drafts.get('/sites')).status).toBe(200);
  });
});

describe('A project', () => {
  verifies('access/keys');

  it('limits a project to 200 keys that are not revoked', async () => {
    const desk = await openDesk(app());
    const { tenantId } = desk.project;
    await app().rows(
      tenantId,
      `INSERT INTO api_keys (tenant_id, project_id, id, name, type, permissions, site_ids, prefix, last_four, secret_hash,
         created_at, created_by, updated_at)
       SELECT tenant_id, project_id, gen_random_uuid(), 'Key', type, permissions, site_ids, prefix, last_four,
         sha256((n || project_id::text)::bytea), created_at, created_by, updated_at
       FROM api_keys, generate_series(1, 197) n WHERE tenant_id = $1 AND type = 'delivery'`,
      [tenantId],
    );
    const answer = await desk.post('/api-keys', { name: 'One more', type: 'delivery' });
    expect(outcome(answer)).toEqual([422, 'limit_reached']);
    expect(answer.body.details).toEqual({ limit: 200 });
  });
});
