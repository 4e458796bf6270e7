import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SearchEngine, type EngineSettings } from '../../src/infrastructure/search/search-engine.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const servers: http.Server[] = [];
const seen: http.IncomingMessage[] = [];

async function serve(respond: http.RequestListener): Promise<string> {
  const server = http.createServer((request, response) => {
    seen.push(request);
    respond(request, response);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const answering = (status: number, body: string, type = 'application/json') =>
  serve((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });

const engineAt = (url: string, rest: Partial<EngineSettings> = {}) =>
  new SearchEngine({ url, timeoutMilliseconds: 5000, ...rest });

const failure = (engine: SearchEngine) =>
  engine.send({ method: 'GET', path: '/' }).then(
    () => undefined,
    ({ kind, reason }: { kind: string; reason: string }) => [kind, reason],
  );

const errorBody = (type: string): string =>
  JSON.stringify({ error: { type: 'outer', reason: 'quotes content', root_cause: [{ type }] } });

afterEach(() => {
  seen.length = 0;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('A search engine', () => {
  verifies('search/index-unavailable');

  it('receives credentials in the header, and lines or JSON', async () => {
    const url = await answering(200, '{"ok":true}');
    const engine = engineAt(url, { username: 'writer', password: 'p:w' });
    expect(await engine.send({ method: 'POST', path: '/a', body: { b: 1 } })).toEqual({ ok: true });
    await engine.send({ method: 'POST', path: '/_bulk', body: '{}\n' });
    expect(seen.map(({ headers }) => [headers.authorization, headers['content-type']])).toEqual([
      ['Basic d3JpdGVyOnA6dw==', 'application/json'],
      ['Basic d3JpdGVyOnA6dw==', 'application/x-ndjson'],
    ]);
  });

  it.each([
    [404, 'index_not_found_exception', ['missing', '404 index_not_found_exception']],
    [400, 'parsing_exception', ['refused', '400 parsing_exception']],
    [429, 'cluster_block_exception', ['unavailable', '429 cluster_block_exception']],
    [403, 'cluster_block_exception', ['unavailable', '403 cluster_block_exception']],
    [401, 'security_exception', ['unavailable', '401 security_exception']],
    [503, 'no_shard_available_action_exception', ['unavailable', '503 no_shard_available_action_exception']],
    [400, 'Text of an entry', ['refused', '400 unknown_error']],
  ])('means by %i %s what its caller has to do', async (status, type, expected) => {
    expect(await failure(engineAt(await answering(status, errorBody(type))))).toEqual(expected);
  });

  it('does not follow redirects, which would pass the password on', async () => {
    const other = await answering(200, '{}');
    const url = await serve((_request, response) => response.writeHead(302, { location: other }).end());
    expect(await failure(engineAt(url, { username: 'writer', password: 'pw' }))).toEqual([
      'unavailable',
      '302 no_json',
    ]);
    expect(seen).toHaveLength(1);
  });

  it('gives up responses that are no JSON or too large', async () => {
    expect(await failure(engineAt(await answering(200, '<html>', 'text/html')))).toEqual([
      'unavailable',
      'invalid_response',
    ]);
    const endless = await serve((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(1024 * 1024)));
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(engineAt(endless, { timeoutMilliseconds: 60_000 }))).toEqual([
      'unavailable',
      'response_too_large',
    ]);
  });

  it('sends nothing for a moment after a request without a response, then sends again', async () => {
    let isAway = true;
    const url = await serve((request, response) => {
      if (isAway) request.socket.destroy();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const engine = engineAt(url);
    expect(await failure(engine)).toEqual(['unavailable', 'unreachable']);
    const paused = await Promise.all([failure(engine), failure(engine)]);
    expect(paused).toContainEqual(['unavailable', 'paused']);
    isAway = false;
    await waitFor('it is asked again', async () => (await failure(engine)) === undefined);
  });

  it('ends requests that take too long', async () => {
    const url = await serve(() => undefined);
    expect(await failure(engineAt(url, { timeoutMilliseconds: 100 }))).toEqual(['unavailable', 'timeout']);
  });
});
