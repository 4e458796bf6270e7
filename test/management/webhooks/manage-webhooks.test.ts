import { beforeAll, describe, expect, it } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook } from './receiver.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
});

const url = 'https://hooks.example.com/headwater';
const path = (suffix = ''): string => `${project.management}/webhooks${suffix}`;
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', suffix: string, body?: object) =>
  send(app(), { method, path: path(suffix), key: project.keys.management, ...(body && { body }) });

describe('POST webhooks', () => {
  verifies('events/webhooks', 'events/webhooks-managed', 'events/webhook-secrets');

  it('returns a created webhook with its defaults and its secret', async () => {
    const response = await call('POST', '', { name: 'Search', url, events: ['entry.*', 'tree.node_moved'] });
    expect(response.status).toBe(201);
    const { data } = response.body as { data: Record<string, unknown> };
    expect(data).toEqual({
      id: expect.any(String),
      name: 'Search',
      url,
      events: ['entry.*', 'tree.node_moved'],
      filters: { siteIds: [], contentTypes: [], locales: [], environments: [], actorTypes: [] },
      headers: [],
      payload: 'full',
      enabled: true,
      health: 'unknown',
      batchWindowSeconds: 0,
      orphaned: false,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secretPreview: expect.stringMatching(/^whsec_….{4}$/),
      lastDeliveryAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('reveals the secret and secret headers nowhere else, and stores both encrypted', async () => {
    const canary = `canary-${unique()}`;
    const headers = [
      { name: 'X-Open', value: 'open' },
      { name: 'X-Closed', value: canary, secret: true },
    ];
    const hook = await createWebhook(app(), project, { url, headers });
    const list = await call('GET', '?limit=100');
    const shown = (list.body as { data: { id: string; headers: object }[] }).data.find(
      ({ id }) => id === hook.id,
    );
    expect(shown?.headers).toEqual([
      { name: 'X-Open', value: 'open', secret: false },
      { name: 'X-Closed', value: null, secret: true },
    ]);
    const update = await call('PUT', `/${hook.id}`, { name: 'Renamed' });
    const kept = await app().rows(
      project.tenantId,
      `SELECT row_to_json(w)::text AS row FROM webhooks w WHERE id = $1
       UNION ALL SELECT row_to_json(a)::text FROM audit_events a WHERE target ->> 'id' = $1::text`,
      [hook.id],
    );
    expect(kept).toHaveLength(3);
    for (const text of [list.text, update.text, JSON.stringify(kept)]) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(hook.secret.slice('whsec_'.length));
    }
  });

  it.each([
    ['events that do not exist', { events: ['entry.exploded'] }, 'events.0'],
    ['no events', { events: [] }, 'events'],
    ['unknown filters', { filters: { siteId: 'x' } }, 'filters.siteId'],
    ['a header of the service', { headers: [{ name: 'Webhook-Id', value: 'x' }] }, 'headers.0.name'],
    ['a host header', { headers: [{ name: 'host', value: 'x' }] }, 'headers.0.name'],
    ['line breaks in a header', { headers: [{ name: 'X-A', value: 'a\r\nb' }] }, 'headers.0.value'],
    [
      'a header twice',
      {
        headers: [
          { name: 'X-A', value: 'a' },
          { name: 'x-a', value: 'b' },
        ],
      },
      'headers.1.name',
    ],
    ['a header without a value', { headers: [{ name: 'X-A', secret: true }] }, 'headers.0.value'],
    ['a window above an hour', { batchWindowSeconds: 3601 }, 'batchWindowSeconds'],
  ])('refuses %s', async (_what, wrong, where) => {
    const response = await call('POST', '', { name: 'Hook', url, events: ['*'], ...wrong });
    expect([response.status, response.body.error]).toEqual([422, 'validation_failed']);
    const { issues } = (response.body as { details: { issues: { path: string[] }[] } }).details;
    expect(issues.map((issue) => issue.path.join('.'))).toContain(where);
  });

  it('rejects the webhook after the hundredth of a project', async () => {
    const full = await createProject(app());
    await app().rows(
      full.tenantId,
      `INSERT INTO webhooks SELECT $1, $2, gen_random_uuid(), 'Hook', 'https://a.example', '{*}', '{}', '[]', 'full', 0, true,
         'unknown', NULL, NULL, '[]', '', now(), '{}', now() FROM generate_series(1, 100)`,
      [full.tenantId, full.projectId],
    );
    const response = await send(app(), {
      method: 'POST',
      path: `${full.management}/webhooks`,
      key: full.keys.management,
      body: { name: 'Hook', url, events: ['*'] },
    });
    expect([response.status, response.body.error]).toEqual([422, 'limit_reached']);
  });

  it('denies the creation of webhooks to a key limited to sites', async () => {
    const { secret } = await must<{ secret: string }>(app(), {
      method: 'POST',
      path: `${project.management}/api-keys`,
      key: project.keys.management,
      body: { name: 'Site key', type: 'management', siteIds: [project.siteId] },
    });
    const body = { name: 'Hook', url, events: ['*'] };
    const response = await send(app(), { method: 'POST', path: path(), key: secret, body });
    expect([response.status, response.body.error]).toEqual([403, 'permission_denied']);
  });
});

describe('GET webhooks', () => {
  verifies('events/webhooks-managed');

  it('filters webhooks by enabled and part of the name', async () => {
    const name = `Named ${unique()}`;
    const off = await createWebhook(app(), project, { url, name, enabled: false });
    const on = await createWebhook(app(), project, { url, name });
    const ids = async (query: string) =>
      (
        (await call('GET', `?q=${encodeURIComponent(name)}&${query}`)).body as { data: { id: string }[] }
      ).data.map(({ id }) => id);
    expect(await ids('enabled=false')).toEqual([off.id]);
    expect(await ids('enabled=true')).toEqual([on.id]);
    expect(await ids('orderBy=createdAt:asc')).toEqual([off.id, on.id]);
  });
});

describe('PUT webhooks/{id}', () => {
  verifies('events/webhooks-managed');

  it('changes the given keys, and keeps the value of a secret header sent without one', async () => {
    const headers = [{ name: 'X-Key', value: 'closed', secret: true }];
    const { id } = await createWebhook(app(), project, { url, headers });
    const response = await call('PUT', `/${id}`, {
      events: ['site.*'],
      filters: { locales: ['en'] },
      headers: [{ name: 'X-Key', value: null, secret: true }],
    });
    expect(response.status).toBe(200);
    expect((response.body as { data: object }).data).toMatchObject({
      events: ['site.*'],
      filters: { siteIds: [], locales: ['en'] },
      headers: [{ name: 'X-Key', value: null, secret: true }],
      url,
    });
  });

  it('resets the health of a webhook that is enabled again', async () => {
    const { id } = await createWebhook(app(), project, { url });
    await app().rows(
      project.tenantId,
      "UPDATE webhooks SET enabled = false, health = 'disabled', failing_since = now() WHERE id = $1",
      [id],
    );
    const response = await call('PUT', `/${id}`, { enabled: true });
    expect((response.body as { data: object }).data).toMatchObject({ enabled: true, health: 'unknown' });
  });

  it('rejects an update without changes, and one of an unknown webhook', async () => {
    const { id } = await createWebhook(app(), project, { url });
    expect((await call('PUT', `/${id}`, {})).body.error).toBe('no_update_fields');
    const missing = await call('PUT', '/0198c0de-0000-7000-8000-000000000000', { name: 'X' });
    expect([missing.status, missing.body.error]).toEqual([404, 'webhook_not_found']);
  });
});

describe('DELETE webhooks/{id}', () => {
  verifies('events/webhooks-managed');

  it('deletes a webhook once, then returns 404', async () => {
    const { id } = await createWebhook(app(), project, { url });
    expect((await call('DELETE', `/${id}`)).body).toEqual({ data: { id, deleted: true } });
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });
});

describe('A URL of another origin', () => {
  verifies('events/webhook-new-origin');

  const token = { name: 'X-Token', secret: true };
  const hook = async (name = token.name): Promise<string> => {
    const headers = [
      { ...token, name, value: 'planted-canary' },
      { name: 'X-Route', value: 'blue' },
    ];
    const made = await call('POST', '', { name: 'Hook', url, events: ['entry.*'], headers });
    return (made.body as { data: { id: string } }).data.id;
  };
  const names = (body: unknown) =>
    (body as { data: { headers: { name: string }[] } }).data.headers.map(({ name }) => name);

  it.each([
    ['another host', 'https://other.example.com/headwater', 'X-Token'],
    ['another port', 'https://hooks.example.com:8443/headwater', 'X-Signature'],
  ])('removes the secret headers at %s, and says so', async (_what, next, name) => {
    const id = await hook(name);
    const { status, body } = await call('PUT', `/${id}`, { url: next });
    expect([status, names(body)]).toEqual([200, ['X-Route']]);
    expect(body.meta.warnings).toMatchObject([
      { code: 'secret_header_dropped', message: expect.stringContaining(name), path: ['url'] },
    ]);
    expect(names((await call('GET', `/${id}`)).body)).toEqual(['X-Route']);
  });

  it('keeps them at another path of the same origin', async () => {
    const id = await hook();
    const { body } = await call('PUT', `/${id}`, { url: 'https://HOOKS.example.com:443/moved' });
    expect([names(body), body.meta]).toEqual([['X-Token', 'X-Route'], undefined]);
  });

  it('needs the value again where the header is sent along, and takes it', async () => {
    const id = await hook();
    const elsewhere = { url: 'https://other.example.com/headwater' };
    const kept = await call('PUT', `/${id}`, { ...elsewhere, headers: [{ ...token, value: null }] });
    expect([kept.status, kept.body.details.issues[0]]).toMatchObject([
      422,
      { path: ['headers', 0, 'value'], code: 'required' },
    ]);
    const given = await call('PUT', `/${id}`, {
      ...elsewhere,
      headers: [{ ...token, value: 'planted-canary-2' }],
    });
    expect([given.status, names(given.body), given.body.meta]).toEqual([200, ['X-Token'], undefined]);
  });
});
