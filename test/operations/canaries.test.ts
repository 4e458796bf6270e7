import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { send, type RestCall } from '../support/call.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createAdmin } from '../support/factories/project.js';
import { LogLines } from '../support/log-lines.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const lines = new LogLines();
const app = useOwnApp({ logger: lines.logger });

/** Created or received secrets, with their kind. */
const secrets = new Map<string, string>();
/** Responses that must contain none of them. */
const answers: { readonly what: string; readonly text: string }[] = [];

const plant = (what: string, secret: string): string => {
  expect(secret.length).toBeGreaterThan(11);
  secrets.set(what, secret);
  return secret;
};
const made = (prefix: string): string => `${prefix}${randomBytes(24).toString('hex')}`;

async function kept(what: string, answer: Promise<Response> | Response): Promise<Response> {
  const response = await answer;
  answers.push({ what, text: `${JSON.stringify(response.headers)}\n${response.text}` });
  return response;
}

const call = (rest: RestCall) => send(app(), rest);

async function plantCredentials(desk: Desk): Promise<void> {
  const { keys, management } = desk.project;
  for (const [type, key] of Object.entries(keys)) plant(`${type} key`, key);
  plant('new key', (await desk.newKey({ type: 'management' })).secret);
  const admin = await createAdmin(app());
  plant('password', admin.password);
  const login = await call({ method: 'POST', path: '/api/v1/auth/login', body: admin });
  const session = login.body.data as { accessToken: string; refreshToken?: string };
  plant('session token', session.accessToken);
  if (session.refreshToken !== undefined) plant('refresh token', session.refreshToken);
  const wrong = { ...admin, password: plant('wrong password', made('canary-')) };
  await kept('a failed login', call({ method: 'POST', path: '/api/v1/auth/login', body: wrong }));
  const user = { email: 'canary@example.com', roleIds: [], password: plant('new password', made('Canary-')) };
  await kept(
    'a new user',
    call({ method: 'POST', path: `${management}/users`, key: session.accessToken, body: user }),
  );
}

/** Fake credentials wherever one could be sent by mistake. */
async function plantRefusals(desk: Desk): Promise<void> {
  const { management, slug, delivery, keys } = desk.project;
  const unknown = plant('unknown key', `hwm_${'0'.repeat(49)}`);
  const token = plant(
    'forged token',
    `eyJhbGciOiJub25lIn0.${randomBytes(12).toString('hex')}.${randomBytes(12).toString('hex')}`,
  );
  for (const key of [unknown, token, plant('nonsense', made('canary'))]) {
    await kept('a refused credential', call({ method: 'GET', path: `${management}/sites`, key }));
    await kept(
      'a refused agent',
      app().request.post(`/api/mcp/${slug}`).set('Authorization', `Bearer ${key}`).send({}),
    );
  }
  const cookie = plant('cookie', made('canary'));
  await kept(
    'a cookie',
    app()
      .request.get(`${management}/sites`)
      .set({ Cookie: `session=${cookie}`, 'X-Api-Key': cookie }),
  );
  await kept('a key in the path', app().request.get(`/api/mcp/${unknown}`));
  await kept('a key in the query', app().request.get(`${management}/sites?apiKey=${unknown}`));
  await kept('a token in the query', app().request.get(`${delivery}/content/article?previewToken=${token}`));
  const input = encodeURIComponent(JSON.stringify({ projectSlug: slug, previewToken: token }));
  await kept('a token in a tRPC query', app().request.get(`/api/trpc/delivery.getEntry?input=${input}`));
  await kept(
    'a broken body',
    app().request.post('/api/v1/auth/login').type('json').send(`{"password":"${cookie}"`),
  );
  const misplaced = { name: 'Key', type: 'delivery', secret: plant('misplaced secret', made('canary-')) };
  await kept(
    'an unknown key',
    call({ method: 'POST', path: `${management}/api-keys`, key: keys.management, body: misplaced }),
  );
}

async function plantInContent(desk: Desk): Promise<void> {
  const fields = ['title', 'password', 'clientSecret'].map((apiName) => ({ apiName, type: 'text' }));
  await desk.post('/content-types', { apiName: 'vault', name: 'Vault', fields });
  const entry = {
    contentTypeApiName: 'vault',
    siteId: desk.project.siteId,
    fields: {
      title: `Use ${plant('key in a text', `hwm_${'1'.repeat(49)}`)} for this`,
      password: plant('password in a field', made('canary-')),
      clientSecret: plant('secret in a field', made('canary-')),
    },
  };
  const { body } = await desk.post('/entries', entry);
  const { id } = (body as { data: { id: string } }).data;
  const preview = await desk.post(`/entries/${id}/preview`, {});
  plant('preview token', (preview.body as { data: { token: string } }).data.token);
  await desk.post(`/entries/${id}/publish`, {});
  await desk.post('/entries/bulk', { action: 'unpublish', entryIds: [id] });
}

async function plantInWebhooks(desk: Desk): Promise<void> {
  const headers = [{ name: 'X-Hook', value: plant('header of a webhook', made('canary-')), secret: true }];
  const url = `https://user:${made('pw')}@example.com/hook`;
  await kept(
    'a refused target',
    desk.post('/webhooks', { name: 'Bad', url: 'http://127.0.0.1/hook', events: ['*'], headers }),
  );
  const hook = { name: 'Hook', url: 'https://example.com/hook', events: ['entry.*'], headers };
  const { body } = await desk.post('/webhooks', hook);
  const { id, secret } = (body as { data: { id: string; secret: string } }).data;
  plant('secret of a webhook', secret);
  await kept('a webhook', desk.get(`/webhooks/${id}`));
  await kept('a changed webhook', desk.put(`/webhooks/${id}`, { headers, name: 'Other' }));
  const rotated = await desk.post(`/webhooks/${id}/rotate-secret`, {});
  plant('rotated secret of a webhook', (rotated.body as { data: { secret: string } }).data.secret);
  await kept('a target with a password', desk.post('/webhooks', { ...hook, url }));
  await kept('webhooks', desk.get('/webhooks'));
}

/** An unexpected failure with secrets among the statement's values. */
async function failInside(desk: Desk): Promise<void> {
  await app().rows(null, 'ALTER TABLE entry_versions RENAME TO away');
  const fields = {
    title: `${secrets.get('key in a text') ?? ''}`,
    password: secrets.get('password in a field'),
  };
  const body = { contentTypeApiName: 'vault', siteId: desk.project.siteId, fields };
  const { status } = await kept('a failure inside', desk.post('/entries', body));
  await app().rows(null, 'ALTER TABLE away RENAME TO entry_versions');
  expect(status).toBe(500);
}

let records = '';
let lastRequestId: string | undefined;

beforeAll(async () => {
  const desk = await openDesk(app());
  await plantCredentials(desk);
  await plantRefusals(desk);
  await plantInContent(desk);
  await plantInWebhooks(desk);
  await failInside(desk);
  for (const list of ['/api-keys', '/users', '/sites', '/audit-events?limit=100', '/audit-events/export'])
    lastRequestId = (await kept(list, desk.get(list))).headers['x-request-id'];
  const rows = await app().rows(null, 'SELECT to_jsonb(a) AS record FROM audit_events a');
  records = JSON.stringify(rows);
  // A line is written when the connection has taken the whole response.
  await waitFor('the last request is logged', () =>
    lines.of('request finished').some(({ requestId }) => requestId === lastRequestId),
  );
});

const found = (text: string): string[] =>
  [...secrets].flatMap(([what, secret]) => (text.includes(secret) ? [what] : []));

describe('Planted secrets', () => {
  verifies('operation/no-secrets', 'events/records-redacted', 'access/key-secrets');

  it('plants many secrets and inspects many places', () => {
    expect(secrets.size).toBeGreaterThan(18);
    expect(lines.of('request finished').length).toBeGreaterThan(30);
    expect(lines.of('request failed unexpectedly')).toHaveLength(1);
    expect(records.split('[redacted]').length).toBeGreaterThan(5);
    expect(answers.length).toBeGreaterThan(20);
  });

  it('finds no planted secret in the log', () => {
    expect(lines.texts.filter((line) => found(line).length > 0)).toEqual([]);
  });

  it('finds no planted secret in audit records', () => {
    expect(found(records)).toEqual([]);
  });

  it('finds no planted secret in responses other than the one that reveals it', () => {
    expect(answers.map(({ what, text }) => [what, found(text)]).filter(([, shown]) => shown?.length)).toEqual(
      [],
    );
  });
});
