import { beforeEach, describe, expect, it } from '@jest/globals';
import { column, openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { unique } from '../support/factories/project.js';
import { createRole } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';
import { openReceiver } from './webhooks/receiver.js';

const app = useOwnApp();
let desk: Desk;
let sites: string[];

/** Creates something, and reads it. */
async function written(path: string, body: object): Promise<Record<string, unknown>> {
  const made = await desk.post(path, body);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const { id } = (made.body as { data: { id: string } }).data;
  return (await desk.get(`${path}/${id}`)).body.data as Record<string, unknown>;
}

beforeEach(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  const other = await desk.post('/sites', { slug: 'other', name: 'Other', description: 'The other one.' });
  sites = [desk.project.siteId, other.body.data.id as string];
});

describe('What was written is read', () => {
  it('in an API key with every limit', async () => {
    const key = {
      name: 'Limited',
      description: 'For one purpose.',
      type: 'management',
      permissions: ['read', 'update'],
      environment: 'main',
      rateLimit: 60,
      requireConfirmation: true,
    };
    const read = await written('/api-keys', { ...key, siteIds: sites });
    expect(read).toMatchObject({ ...key, status: 'active', revokedAt: null });
    expect([...(read.siteIds as string[])].sort()).toEqual([...sites].sort());
  });

  it('in a rotated key, with the time of its last use', async () => {
    const { id, secret } = await desk.newKey({ type: 'management' });
    expect((await desk.as(secret).get('/sites')).status).toBe(200);
    await app().composition.jobs.flushKeyUses();
    const used = (await desk.get(`/api-keys/${id}`)).body.data.lastUsedAt as string | null;
    expect(used).not.toBeNull();
    const rotated = await desk.post(`/api-keys/${id}/rotate`, {});
    expect(rotated.body.data).toMatchObject({ id, lastUsedAt: used });
  });

  it('in the editors of custom field types', async () => {
    const type = { name: 'Type', jsonSchema: { type: 'object' } };
    const editors = [
      { kind: 'json', options: { lines: 4 } },
      { kind: 'iframe', url: 'https://editor.example/a', options: { theme: 'dark' } },
      { kind: 'iframe', url: 'https://editor.example/b' },
    ];
    for (const [index, editor] of editors.entries()) {
      const apiName = `type${String(index)}`;
      const made = await desk.post('/custom-field-types', { ...type, apiName, editor });
      expect([made.status, made.body.data.editor]).toEqual([201, editor]);
      const read = await desk.get(`/custom-field-types/${apiName}`);
      expect(read.body.data.editor).toEqual(editor);
    }
  });

  it('in a field, a site, a view and a user', async () => {
    const field = { apiName: 'old', type: 'text', hidden: true, deprecated: true };
    const made = await desk.post('/content-types/article/fields', field);
    expect(made.body.data).toMatchObject(field);
    const site = await desk.get('/sites/other');
    expect(site.body.data.description).toBe('The other one.');
    const view = { name: 'Mine', resource: 'entries', columns: ['title', 'status'] };
    expect(await written('/views', view)).toMatchObject(view);
    const avatarUrl = 'https://pictures.example/ada.png';
    const user = await written('/users', { email: `${unique()}@example.com`, name: 'Ada', avatarUrl });
    expect(user.avatarUrl).toBe(avatarUrl);
  });

  it('in the nodes of a tree', async () => {
    const siteId = sites[0];
    await desk.post('/tree/nodes', { siteId, name: 'Shop', url: 'https://shop.example', hideInMenu: true });
    await desk.post('/tree/nodes', { siteId, name: 'More', slug: 'more' });
    const { body } = await desk.get('/tree/main');
    expect(body.data).toMatchObject([
      { name: 'Shop', url: 'https://shop.example', hideInMenu: true },
      { name: 'More', url: null, hideInMenu: false },
    ]);
  });

  it('in pages of the allowlist', async () => {
    for (const cidr of ['203.0.113.0/24', '198.51.100.0/24']) await desk.post('/ip-allowlist', { cidr });
    const { body } = await desk.get('/ip-allowlist?limit=1&page=2');
    expect(body.meta).toMatchObject({ total: 2, page: 2, limit: 1, pages: 2 });
    expect(body.data).toHaveLength(1);
  });

  it('in the scope of a grant', async () => {
    const roleId = await createRole(app(), desk.project, []);
    const scope = { environments: ['main'], siteIds: [...sites].sort(), locales: ['de', 'en'] };
    const grant = { resource: 'entries', action: 'update', scope };
    const made = await desk.post(`/roles/${roleId}/permissions`, grant);
    expect(made.body.data.scope).toEqual(scope);
    expect(column(await desk.get(`/roles/${roleId}/permissions`), 'scope')).toEqual([scope]);
  });
});

describe('A webhook', () => {
  it('has the filters, payload and window that were written', async () => {
    const filters = {
      siteIds: sites,
      contentTypes: ['article', 'author'],
      locales: ['en', 'de'],
      environments: ['main', 'staging'],
      actorTypes: ['user', 'api_key'],
    };
    const hook = { name: 'Hook', events: ['entry.*'], payload: 'thin', batchWindowSeconds: 5 };
    const url = 'https://hooks.example.com/headwater';
    const read = await written('/webhooks', { ...hook, url, filters });
    expect(read).toMatchObject({ ...hook, url, filters });
    expect(column(await desk.get('/webhooks'), 'payload')).toEqual(['thin']);
  });

  it('has its health and last delivery where its secret is replaced', async () => {
    const receiver = await openReceiver();
    try {
      const made = await desk.post('/webhooks', { name: 'Hook', url: receiver.url, events: ['site.*'] });
      const { id } = made.body.data as { id: string };
      expect(made.body.data).toMatchObject({ health: 'unknown', lastDeliveryAt: null });
      await desk.put('/sites/other', { name: 'Renamed' });
      await waitFor('the event is delivered', async () => {
        await app().composition.jobs.deliverWebhooks();
        return (await desk.get(`/webhooks/${id}`)).body.data.health === 'healthy';
      });
      const rotated = await desk.post(`/webhooks/${id}/rotate-secret`, {});
      expect(rotated.body.data).toMatchObject({ health: 'healthy', lastDeliveryAt: expect.any(String) });
    } finally {
      await receiver.close();
    }
  });
});
