import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LiveSurface } from '../../../src/surfaces/live/handler.js';
import { createLogger } from '../../../src/infrastructure/logger.js';
import { appRouter, boundOperations } from '../../../src/procedures/index.js';
import { createMcpHandler, type McpHandler } from '../../../src/surfaces/mcp/handler.js';
import { PREVIEW_STREAM, PreviewStreams } from '../../../src/surfaces/live/preview-stream.js';
import { startBeside, type TestApp } from '../../support/app.js';
import { must } from '../../support/call.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { superAdmin } from '../../support/factories/project.js';
import { eventsAt, liveEvents, type LiveEvents } from '../../support/live-events.js';
import {
  createMember,
  createRole,
  memberPassword,
  systemRoleId,
  type TestMember,
} from '../../support/members.js';
import { clientKey } from '../../support/oauth-client.js';
import { listenerOf } from '../../support/pipeline.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { article } from '../entries/history.js';

/** Streams of the second process that no ping checks, so that only notices of changes end them. */
const NEVER_MS = 2 ** 31 - 1;
const MCP = '/api/mcp/';

const app = useApp();
let other: TestApp;
let desk: Desk;
let server: http.Server;
let agents: McpHandler;
let silent: { readonly baseUrl: string };
const opened: LiveEvents[] = [];

beforeAll(async () => {
  other = await startBeside(app());
  desk = await openDesk(app());
  const { services } = other.composition;
  const live = new LiveSurface(services, NEVER_MS);
  const previews = new PreviewStreams(services, NEVER_MS);
  agents = createMcpHandler({
    services,
    operations: boundOperations(appRouter),
    logger: createLogger('silent'),
    allowedOrigins: [],
    pingMilliseconds: NEVER_MS,
  });
  server = http.createServer(
    listenerOf((exchange) => {
      const path = exchange.request.url?.split('?')[0] ?? '';
      const [, project = '', site = ''] = PREVIEW_STREAM.exec(path) ?? [];
      if (path.startsWith(MCP)) return agents.handle(exchange, path.slice(MCP.length));
      return project === '' ? live.open(exchange) : previews.open(exchange, project, site);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  silent = { baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
afterAll(async () => {
  agents.close();
  server.close();
  await other.close();
});

const keep = (stream: LiveEvents): LiveEvents => {
  opened.push(stream);
  return stream;
};
/** Nothing but a notice ends it, and it cannot be opened again. */
async function expectEnd(
  stream: LiveEvents,
  reopen: () => Promise<LiveEvents>,
  status: number,
): Promise<void> {
  await stream.ended;
  expect([stream.status, (await reopen()).status]).toEqual([200, status]);
}
const ownEvents = async (token: string): Promise<LiveEvents> => keep(await liveEvents(silent, token));

/** Opens the stream of a preview session that the member has made. */
async function previewOf({ token }: TestMember): Promise<() => Promise<LiveEvents>> {
  const made = await desk.as(token).post('/preview-sessions', { siteId: desk.project.siteId });
  const { token: previewToken } = (made.body as { data: { token: string } }).data;
  const path = `${desk.project.delivery}/preview/stream?previewToken=${previewToken}`;
  return async () => keep(await eventsAt(silent, path));
}

const editor = async (): Promise<TestMember> =>
  createMember(app(), desk.project, [await systemRoleId(app(), desk.project, 'editor')]);

const logIn = async ({ email }: TestMember): Promise<string> => {
  const body = { email, password: memberPassword };
  return (await must<{ accessToken: string }>(app(), { method: 'POST', path: '/api/v1/auth/login', body }))
    .accessToken;
};

/** A key that lasts long enough to open a stream, which then ends by itself. */
async function expectExpiry(
  type: 'preview' | 'management',
  open: (secret: string) => Promise<LiveEvents>,
): Promise<void> {
  for (let milliseconds = 2000; ; milliseconds *= 2) {
    const expiresAt = new Date(Date.now() + milliseconds).toISOString();
    const made = await desk.post('/api-keys', { name: 'Key', type, expiresAt });
    // On a busy machine the time may have passed before the service reads it.
    if (made.status !== 201) continue;
    const { secret } = (made.body as { data: { secret: string } }).data;
    const stream = await open(secret);
    if (stream.status !== 200) continue;
    await expectEnd(stream, () => open(secret), 401);
    return;
  }
}

/** In the first process, by a super-admin. */
const change = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> =>
  must(app(), { method, path: `${desk.project.management}${path}`, key: await superAdmin(app()), body });

describe('Open event streams', () => {
  verifies('access/open-streams');

  it('end with the session that opened them, and no others', async () => {
    const member = await editor();
    const elsewhere = await logIn(member);
    const [ending, staying] = [await ownEvents(member.token), await ownEvents(elsewhere)];
    await app().request.delete('/api/v1/me/sessions').set('Authorization', `Bearer ${elsewhere}`).expect(200);
    await expectEnd(ending, () => ownEvents(member.token), 401);
    const { id } = await article(desk);
    await desk.as(elsewhere).post(`/entries/${id}/presence`, {});
    const visitor = await editor();
    await desk.as(visitor.token).post(`/entries/${id}/presence`, {});
    await waitFor('the other session still receives events', () => staying.seen.length > 0);
  });

  it('end with all sessions of a user whose password changes', async () => {
    const member = await editor();
    const session = await logIn(member);
    const stream = await ownEvents(session);
    const passwords = { currentPassword: memberPassword, newPassword: `${memberPassword} now` };
    const request = app().request.post('/api/v1/auth/password').send(passwords);
    await request.set('Authorization', `Bearer ${member.token}`).expect(200);
    await expectEnd(stream, () => ownEvents(session), 401);
  });

  it.each([
    ['is suspended', (id: string) => change('PUT', `/users/${id}`, { status: 'suspended' })],
    ['loses the role', (id: string) => change('PUT', `/users/${id}`, { roleIds: [] })],
    ['is removed', (id: string) => change('DELETE', `/users/${id}`)],
  ])('of previews end when the member %s', async (_what, act) => {
    const member = await editor();
    const open = await previewOf(member);
    const stream = await open();
    await act(member.id);
    await expectEnd(stream, open, 403);
  });

  it('of previews end when a role loses the permission, and stay open when it gains one', async () => {
    const roleId = await createRole(app(), desk.project, [{ resource: 'entries', action: 'read' }]);
    const member = await createMember(app(), desk.project, [roleId]);
    const open = await previewOf(member);
    const stream = await open();
    await change('POST', `/roles/${roleId}/permissions`, { resource: 'media', action: 'read' });
    const { id } = await article(desk);
    await waitFor('the change arrives', () =>
      stream.seen.some(({ data }) => JSON.stringify(data).includes(id)),
    );
    const path = `${desk.project.management}/roles/${roleId}/permissions`;
    const key = await superAdmin(app());
    const grants = await must<{ id: string; resource: string }[]>(app(), { method: 'GET', path, key });
    const reading = grants.find(({ resource }) => resource === 'entries')?.id ?? '';
    await change('DELETE', `/roles/${roleId}/permissions/${reading}`);
    await expectEnd(stream, open, 403);
  });

  it('of previews end when the session in which their maker was logged in ends', async () => {
    const member = await editor();
    const elsewhere = await logIn(member);
    const open = await previewOf(member);
    const stream = await open();
    await app().request.delete('/api/v1/me/sessions').set('Authorization', `Bearer ${elsewhere}`).expect(200);
    await expectEnd(stream, open, 403);
  });

  it('of previews end with the key that opened them', async () => {
    const { id, secret } = await desk.newKey({ type: 'preview' });
    const headers = { Authorization: `Bearer ${secret}` };
    const open = async () => keep(await eventsAt(silent, `${desk.project.delivery}/preview/stream`, headers));
    const stream = await open();
    await change('DELETE', `/api-keys/${id}`);
    await expectEnd(stream, open, 401);
  });

  it('of previews end when the key that opened them expires', async () => {
    const path = `${desk.project.delivery}/preview/stream`;
    const open = (secret: string) => eventsAt(silent, path, { Authorization: `Bearer ${secret}` });
    await expectExpiry('preview', async (secret) => keep(await open(secret)));
  });

  describe('of agents', () => {
    const agentEvents = (secret: string) => async () =>
      keep(await eventsAt(silent, `/api/mcp/${desk.project.slug}`, { Authorization: `Bearer ${secret}` }));

    it('end with the key that opened them', async () => {
      const { id, secret } = await desk.newKey({ type: 'management' });
      const open = agentEvents(secret);
      const stream = await open();
      await change('DELETE', `/api-keys/${id}`);
      await expectEnd(stream, open, 401);
    });

    it('end when the key expires', () => expectExpiry('management', (secret) => agentEvents(secret)()));

    it('end with the connection of the OAuth client', async () => {
      const member = await editor();
      const { key, client } = await clientKey(app(), desk.project, member);
      const open = agentEvents(key);
      const stream = await open();
      const path = `/api/v1/me/connections/${client.client_id}`;
      await must(app(), { method: 'DELETE', path, key: member.token });
      await expectEnd(stream, open, 401);
    });

    it('end when the user of an OAuth client is suspended', async () => {
      const member = await editor();
      const { key } = await clientKey(app(), desk.project, member);
      const open = agentEvents(key);
      const stream = await open();
      await change('PUT', `/users/${member.id}`, { status: 'suspended' });
      await expectEnd(stream, open, 401);
    });
  });
});
