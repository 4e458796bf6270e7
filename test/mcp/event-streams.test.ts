import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
        isAuthorized: () => Promise.resolve(isAuthorized),
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
    expect(text()).toBe(': open\n\n');
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
