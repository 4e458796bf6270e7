import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, get, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { createLogger } from '../../src/infrastructure/logger.js';
import { EventStreams } from '../../src/surfaces/mcp/event-streams.js';
import { waitFor } from '../support/wait-for.js';

let revisions: Record<string, string>;
let isDatabaseDown: boolean;
let isAuthorized: boolean;
let streams: EventStreams;
let failures: unknown[];
let lookups = 0;
let server: Server;
const owners: Record<string, { keyId: string; tenantId: string }> = {};

beforeEach(async () => {
  revisions = { one: '1', two: '1' };
  isDatabaseDown = false;
  isAuthorized = true;
  failures = [];
  streams = new EventStreams({
    logger: createLogger('silent'),
    pollMilliseconds: 20,
    pingMilliseconds: 50,
    revisionOf: ({ environmentId: slug }) => {
      lookups += 1;
      return isDatabaseDown ? Promise.reject(new Error('away')) : Promise.resolve(revisions[slug]);
    },
  });
  server = createServer((request, response) => {
    const projectSlug = (request.url ?? '').slice(1);
    streams
      .open({
        response,
        place: { projectSlug, environmentId: projectSlug },
        owner: owners[projectSlug] ?? { keyId: projectSlug, tenantId: projectSlug },
        isAuthorized: () => Promise.resolve(isAuthorized),
        watch: () => () => undefined,
      })
      .catch((error: unknown) => {
        failures.push(error);
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  streams.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a stream and collects what it sends. */
async function listen(
  projectSlug: string,
): Promise<{ text: () => string; response: IncomingMessage; ended: Promise<unknown> }> {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(`http://127.0.0.1:${port}/${projectSlug}`, resolve),
  );
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { text: () => text, response, ended: new Promise((resolve) => response.once('close', resolve)) };
}
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const notice = 'notifications/resources/list_changed';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

describe('MCP event streams', () => {
  test('open at once and are never cached', async () => {
    const { response, text } = await listen('one');
    await until(() => text() !== '');
    expect(text()).toMatch(/^: open\n\n(?:: ping\n\n)*$/);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
    });
  });

  test("notify only the changed project's streams, once per change", async () => {
    const [first, second, other] = await Promise.all([listen('one'), listen('one'), listen('two')]);
    revisions = { one: '2', two: '1' };
    await until(() => first.text().includes(notice) && second.text().includes(notice));
    await pause(60);
    expect(first.text().split(notice)).toHaveLength(2);
    expect(second.text().split(notice)).toHaveLength(2);
    expect(other.text()).not.toContain(notice);
  });

  test('send keep-alive comments', async () => {
    const { text } = await listen('one');
    await until(() => (text().match(/: ping\n\n/g)?.length ?? 0) >= 2);
    expect(text()).not.toContain(notice);
  });

  test('survive a database outage and report the change afterwards', async () => {
    const { text } = await listen('one');
    isDatabaseDown = true;
    await pause(60);
    revisions = { one: '2' };
    isDatabaseDown = false;
    await until(() => text().includes(notice));
    expect(text().split(notice)).toHaveLength(2);
  });

  test('end when the credential is no longer valid', async () => {
    const { ended } = await listen('one');
    isAuthorized = false;
    await ended;
  });

  test('end on drain, after which new streams are rejected', async () => {
    const { ended } = await listen('one');
    streams.close();
    await ended;
    await (
      await listen('one')
    ).ended;
    expect(failures).toMatchObject([{ code: 'service_unavailable' }]);
  });

  const openMany = async (count: number, ownerOf: (index: number) => { keyId: string; tenantId: string }) => {
    for (let index = 0; index < count; index += 1) {
      const name = `many${String(index)}`;
      owners[name] = ownerOf(index);
      await listen(name);
    }
  };
  const refusal = (scope: string, limit: number) => [
    { code: 'rate_limit_exceeded', status: 429, details: { scope, limit, retryAfter: expect.any(Number) } },
  ];

  test('number at most 20 per key; another key of the tenant still opens one', async () => {
    await openMany(20, () => ({ keyId: 'key', tenantId: 'tenant' }));
    expect(failures).toEqual([]);
    await openMany(1, () => ({ keyId: 'key', tenantId: 'tenant' }));
    expect(failures).toMatchObject(refusal('key', 20));
    failures = [];
    await openMany(1, () => ({ keyId: 'other', tenantId: 'tenant' }));
    expect(failures).toEqual([]);
  });

  test('number at most 100 per tenant; another tenant still opens one', async () => {
    await openMany(100, (index) => ({ keyId: `key${String(index % 10)}`, tenantId: 'tenant' }));
    expect(failures).toEqual([]);
    await openMany(1, () => ({ keyId: 'fresh', tenantId: 'tenant' }));
    expect(failures).toMatchObject(refusal('tenant', 100));
    failures = [];
    await openMany(1, () => ({ keyId: 'fresh', tenantId: 'other' }));
    expect(failures).toEqual([]);
  });

  test('number at most 1,000 per process', async () => {
    const openOne = (index: number) => {
      const name = String(index);
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      return streams.open({
        response,
        place: { projectSlug: name, environmentId: name },
        owner: { keyId: name, tenantId: name },
        isAuthorized: () => Promise.resolve(true),
        watch: () => () => undefined,
      });
    };
    for (let index = 0; index < 1000; index += 1) await openOne(index);
    await expect(openOne(1000)).rejects.toMatchObject(refusal('process', 1000)[0] ?? {});
  });

  test('free their place when they end', async () => {
    const owner = { keyId: 'key', tenantId: 'tenant' };
    owners.first = owner;
    const first = await listen('first');
    await openMany(19, () => owner);
    first.response.destroy();
    await waitFor('the place is free', async () => {
      failures = [];
      await openMany(1, () => owner);
      return failures.length === 0;
    });
  });

  test('stop polling revisions when the last client disconnects', async () => {
    const { response } = await listen('one');
    response.destroy();
    await waitFor('no revision is looked up any more', async () => {
      const before = lookups;
      await pause(80);
      return lookups === before;
    });
  });
});
