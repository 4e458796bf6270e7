import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '../../../src/infrastructure/webhook-target.js';
import { WebhookSender } from '../../../src/infrastructure/webhook-sender.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

let app: TestApp;
let project: TestProject;

beforeAll(async () => {
  app = await startTestApp({ webhooks: { allowLoopback: false } });
  project = await createProject(app);
});

afterAll(() => app.close());

const refused = [
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'javascript:alert(1)',
  'hooks.example.com',
  'https://user:secret@hooks.example.com/',
  'https://user@hooks.example.com/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:65536/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://metadata.google.internal/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://①②⑦.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.0.0.192/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[ff02::1]/',
];

describe('A forbidden webhook target', () => {
  verifies('events/webhook-targets', 'limits/private-targets');

  it.each(refused)('rejects a webhook with the URL %s', async (url) => {
    const response = await send(app, {
      method: 'POST',
      path: `${project.management}/webhooks`,
      key: project.keys.management,
      body: { name: 'Hook', url, events: ['*'] },
    });
    expect([response.status, response.body.error]).toEqual([422, 'webhook_url_refused']);
  });

  it('rejects an update to a forbidden URL, and accepts a permitted one', async () => {
    const created = await send(app, {
      method: 'POST',
      path: `${project.management}/webhooks`,
      key: project.keys.management,
      body: { name: 'Hook', url: 'https://1.1.1.1:8443/hook?a=b', events: ['*'] },
    });
    expect(created.status).toBe(201);
    const { id } = (created.body as { data: { id: string } }).data;
    const response = await send(app, {
      method: 'PUT',
      path: `${project.management}/webhooks/${id}`,
      key: project.keys.management,
      body: { url: 'https://127.0.0.1/' },
    });
    expect([response.status, response.body.error]).toEqual([422, 'webhook_url_refused']);
  });
});

describe('A connection', () => {
  verifies('events/webhook-targets', 'limits/private-targets');

  const message = { headers: { 'content-type': 'application/json' }, body: '{}' };
  let connections = 0;
  let port = 0;
  const server = http.createServer((_request, response) => response.writeHead(204).end());
  server.on('connection', () => (connections += 1));
  const sender = new WebhookSender({ allowLoopback: false, timeoutMilliseconds: 5000 });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(async () => {
    await sender.close();
    await new Promise((resolve) => server.close(resolve));
  });

  // As if stored without validation: names of this machine and literals in every form.
  it.each(['localhost', '127.0.0.1', '2130706433', '0x7f.1', '0177.1', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'never connects to %s',
    async (host) => {
      for (const scheme of ['http', 'https']) {
        const outcome = await sender.send({ url: `${scheme}://${host}:${String(port)}/`, ...message });
        expect(outcome).toMatchObject({ ok: false, statusCode: null, error: 'address_refused' });
      }
      expect(connections).toBe(0);
    },
  );

  it('follows no redirect of a target', async () => {
    const redirecting = http.createServer((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${String(port)}/` }).end('go on'),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const open = new WebhookSender({ allowLoopback: true, timeoutMilliseconds: 5000 });
    const url = `http://127.0.0.1:${String((redirecting.address() as AddressInfo).port)}/`;
    const outcome = await open.send({ url, ...message });
    expect(outcome).toMatchObject({ ok: false, statusCode: 307, error: 'redirect_not_followed' });
    expect(connections).toBe(0);
    await open.close();
    await new Promise((resolve) => redirecting.close(resolve));
  });

  it('stores only the start of a response, and aborts at the timeout', async () => {
    const endless = http.createServer((request, response) => {
      response.writeHead(200);
      response.write(`a\u0000b${'x'.repeat(5000)}`);
      if (request.url === '/never') return;
      response.end();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const open = new WebhookSender({ allowLoopback: true, timeoutMilliseconds: 300 });
    const base = `http://127.0.0.1:${String((endless.address() as AddressInfo).port)}`;
    for (const place of ['/', '/never']) {
      const { ok, responseSnippet } = await open.send({ url: base + place, ...message });
      expect([ok, responseSnippet?.length, responseSnippet?.slice(0, 4)]).toEqual([true, 1024, 'a bx']);
    }
    const silent = http.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}/`;
    expect(await open.send({ url, ...message })).toMatchObject({ ok: false, error: 'timeout' });
    await open.close();
    for (const server of [endless, silent]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['198.18.0.1', false],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::808:808', false],
    ['not an address', false],
  ])('decides whether a connection to %s is permitted: %s', (address, isAllowed) => {
    expect(isPublicAddress(address)).toBe(isAllowed);
  });
});
