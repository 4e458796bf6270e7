import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('201', () => {
  verifies('access/keys', 'access/key-secrets', 'http/status-of-create-and-delete');

  it.each([
    { type: 'delivery', prefix: 'hwd_' },
    { type: 'preview', prefix: 'hwp_' },
    { type: 'management', prefix: 'hwm_' },
  ])('returns the secret of a $type key on creation only', async ({ type, prefix }) => {
    const desk = await openDesk(app());
    const { status, body, headers } = await desk.post('/api-keys', { name: 'Key', type });
    const { secret, id, ...key } = body.data as { secret: string; id: string };
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    expect(key).toMatchObject({
      name: 'Key',
      type,
      prefix,
      lastFour: secret.slice(-4),
      status: 'active',
      siteIds: [],
      environment: null,
      expiresAt: null,
      revokedAt: null,
      createdBy: { type: 'api_key', name: 'management' },
    });
    const listed = await desk.get('/api-keys');
    expect(listed.body.data).toContainEqual({ id, ...key });
    expect(listed.text).not.toContain(secret);
  });

  it('stores a hash of the secret and nothing it could be read from', async () => {
    const desk = await openDesk(app());
    const { id, secret } = await desk.newKey({ type: 'delivery' });
    const rows = await app().rows<{ hash: Buffer; text: string }>(
      desk.project.tenantId,
      'SELECT secret_hash AS hash, api_keys::text AS text FROM api_keys WHERE id = $1',
      [id],
    );
    expect(rows[0]?.hash).toEqual(createHash('sha256').update(secret).digest());
    expect(rows[0]?.text).not.toContain(secret.slice(4, -4));
  });

  it('accepts a new key at once, for its permissions', async () => {
    const desk = await openDesk(app());
    const reader = desk.as((await desk.newKey({ type: 'management', permissions: ['read'] })).secret);
    expect((await reader.get('/sites')).status).toBe(200);
    const refused = await reader.post('/sites', { slug: 'other', name: 'Other' });
    expect(outcome(refused)).toEqual([403, 'permission_denied']);
    expect(refused.body.details).toEqual({ resource: 'sites', action: 'create' });
  });

  it('accepts site ids in upper case', async () => {
    const desk = await openDesk(app());
    const { siteId } = desk.project;
    const body = { name: 'K', type: 'management', siteIds: [siteId.toUpperCase(), siteId] };
    expect((await desk.post('/api-keys', body)).body.data.siteIds).toEqual([siteId]);
  });

  it('binds a key to the given environment', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.post('/api-keys', { name: 'K', type: 'delivery', environment: 'main' });
    expect(body.data.environment).toBe('main');
  });
});

describe('Permissions', () => {
  verifies('access/key-permissions-default', 'access/permission-denied', 'access/key-actions');

  it.each([
    [{ type: 'management' }, ['read', 'create', 'update', 'publish', 'unpublish', 'delete']],
    [{ type: 'management', permissions: ['publish', 'read'] }, ['read', 'publish']],
    [{ type: 'management', draftOnly: true }, ['read', 'create', 'update', 'delete']],
    [{ type: 'management', draftOnly: true, permissions: ['update', 'publish'] }, ['update']],
    [{ type: 'preview' }, ['read']],
    [{ type: 'delivery', permissions: ['publish'] }, ['read']],
  ])('shows %j as the effective permissions %j', async (given, effective) => {
    const desk = await openDesk(app());
    const { body } = await desk.post('/api-keys', { name: 'K', ...given });
    expect(body.data.effectivePermissions).toEqual(effective);
    const read = await desk.get(`/api-keys/${body.data.id}`);
    expect(read.body.data.effectivePermissions).toEqual(effective);
  });

  it('defaults to all actions for management keys and to read for preview keys', async () => {
    const desk = await openDesk(app());
    const of = async (body: object) =>
      (await desk.post('/api-keys', { name: 'K', ...body })).body.data.permissions as unknown;
    expect(await of({ type: 'management' })).toEqual([]);
    expect(await of({ type: 'preview' })).toEqual(['read']);
    expect(await of({ type: 'preview', permissions: [] })).toEqual([]);
    expect(await of({ type: 'management', permissions: ['read', 'read'] })).toEqual(['read']);
  });

  it.each([
    { action: 'create', line: 'POST /entries' },
    { action: 'update', line: 'PUT /entries/x' },
    { action: 'publish', line: 'POST /entries/x/publish' },
    { action: 'unpublish', line: 'POST /entries/x/unpublish' },
    { action: 'delete', line: 'DELETE /entries/x' },
    { action: 'read', line: 'GET /entries' },
  ])('denies a key $action if it has every other permission', async ({ action, line }) => {
    const desk = await openDesk(app());
    const others = ['read', 'create', 'update', 'publish', 'unpublish', 'delete'].filter(
      (one) => one !== action,
    );
    const key = desk.as((await desk.newKey({ type: 'management', permissions: others })).secret);
    const [method = '', path = ''] = line.split(' ');
    const answer = await key[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](path);
    expect(outcome(answer)).toEqual([403, 'permission_denied']);
    expect(answer.body.details).toEqual({ resource: 'entries', action });
  });
});

describe('403', () => {
  verifies('access/writes-within-sites', 'access/permission-denied');

  it('returns 403 when a key creates one with more rights than its own', async () => {
    const desk = await openDesk(app());
    const limited = desk.as(
      (await desk.newKey({ type: 'management', permissions: ['read', 'create'] })).secret,
    );
    const make = (permissions?: string[]) =>
      limited.post('/api-keys', { name: 'K', type: 'management', ...(permissions && { permissions }) });
    expect((await make(['read'])).status).toBe(201);
    expect(outcome(await make(['read', 'delete']))).toEqual([403, 'permission_denied']);
    expect(outcome(await make([]))).toEqual([403, 'permission_denied']);
    expect(outcome(await make())).toEqual([403, 'permission_denied']);
  });

  it('returns 403 when a key of one site creates a key, even for the same site', async () => {
    const desk = await openDesk(app());
    const { siteId } = desk.project;
    const other = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
    const limited = desk.as((await desk.newKey({ type: 'management', siteIds: [siteId] })).secret);
    const make = (siteIds: string[]) => limited.post('/api-keys', { name: 'K', type: 'management', siteIds });
    for (const siteIds of [[siteId], [], [other], [siteId, other]])
      expect(outcome(await make(siteIds))).toEqual([403, 'permission_denied']);
  });
});

describe('404 and 422', () => {
  verifies('http/missing-things');

  it('returns 404 with the path of an unknown site or environment', async () => {
    const desk = await openDesk(app());
    const foreign = await openDesk(app());
    const siteIds = [desk.project.siteId, foreign.project.siteId];
    const site = await desk.post('/api-keys', { name: 'K', type: 'delivery', siteIds });
    expect(outcome(site)).toEqual([404, 'site_not_found']);
    expect(site.body.details).toEqual({ path: ['siteIds', 1] });
    const environment = await desk.post('/api-keys', { name: 'K', type: 'delivery', environment: 'staging' });
    expect(outcome(environment)).toEqual([404, 'environment_not_found']);
    expect(environment.body.details).toEqual({ path: ['environment'] });
  });

  it.each([
    [{ type: 'root' }, 'type'],
    [{ permissions: ['manage'] }, 'permissions.0'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2030-01-01' }, 'expiresAt'],
    [{ siteIds: ['main'] }, 'siteIds.0'],
    [{ name: ' ' }, 'name'],
    [{ secret: 'mine' }, 'secret'],
  ])('returns 422 for %j', async (body, path) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/api-keys', { name: 'K', type: 'delivery', ...body });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });
});
