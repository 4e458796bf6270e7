import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { prepareHead, sendPrepared } from '../../src/surfaces/http/cache/prepared-head.js';

const headers = ['Content-Type', 'application/json; charset=utf-8', 'Vary', 'Accept-Encoding', 'ETag', '"x"'];
const requestId = '01900000-0000-7000-8000-000000000001';
const bodies: Readonly<Record<string, Buffer | string>> = {
  '/small': '{"data":"\u00e9"}',
  '/large': Buffer.alloc(100_000, 'large '),
};

const sized = (body: Buffer | string): string[] => [...headers, 'Content-Length', String(body.length)];

/** The same responses twice: by Node under /plain, prepared elsewhere. */
function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = (request.url ?? '').replace('/plain', '');
  const isBodiless = request.method === 'HEAD' || url === '/304';
  const body = bodies[url] ?? '';
  const status = url === '/304' ? 304 : 200;
  const given = url === '/304' ? headers : sized(body);
  if (request.headers['x-close'] !== undefined) response.setHeader('Connection', 'close');
  if (request.url?.startsWith('/plain') === true) {
    response.writeHead(status, [...given, 'X-Request-Id', requestId]);
    if (isBodiless) response.end();
    else response.end(body, 'latin1');
    return;
  }
  sendPrepared(response, { head: prepareHead(status, given), requestId }, isBodiless ? undefined : body);
}

let server: http.Server;

beforeAll(async () => {
  server = http.createServer({ keepAliveTimeout: 65_000 }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** All bytes of a connection, closed by its last request. */
async function bytesFor(requests: readonly string[]): Promise<string> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(requests.join(''));
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString('latin1');
  return text.replaceAll(/^Date: .*$/gm, (line) => (Number.isNaN(Date.parse(line.slice(6))) ? line : 'Date'));
}

const last = 'GET /plain/small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('An answer with a prepared head', () => {
  it.each([
    ['a small body', ['GET %/small HTTP/1.1\r\nHost: a\r\n\r\n', last]],
    ['a large body', ['GET %/large HTTP/1.1\r\nHost: a\r\n\r\n', last]],
    ['304', ['GET %/304 HTTP/1.1\r\nHost: a\r\n\r\n', last]],
    ['HEAD', ['HEAD %/small HTTP/1.1\r\nHost: a\r\n\r\n', last]],
    ['several at once', [...Array<string>(5).fill('GET %/small HTTP/1.1\r\nHost: a\r\n\r\n'), last]],
    ['a client that closes', ['GET %/small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']],
    ['a server that closes', ['GET %/small HTTP/1.1\r\nHost: a\r\nX-Close: 1\r\n\r\n']],
    ['HTTP/1.0', ['GET %/small HTTP/1.0\r\n\r\n']],
    ['HTTP/1.0 kept', ['GET %/304 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', last]],
  ])('sends a prepared head as Node would: %s', async (_name, requests) => {
    const prepared = await bytesFor(requests.map((text) => text.replace('%', '')));
    const plain = await bytesFor(requests.map((text) => text.replace('%', '/plain')));
    expect(prepared).toEqual(plain);
    expect(prepared).toContain(`X-Request-Id: ${requestId}`);
  });

  it.each([
    ['a line break in a value', ['Vary', 'a\r\nSet-Cookie: b']],
    ['a line break in a name', ['Vary: a\r\nX', 'b']],
    ['a NUL', ['Vary', '\u0000']],
    ['what is no byte', ['Vary', '\u2026']],
    ['no name', ['', 'b']],
  ])('never puts %s into a prepared head', (_name, given) => {
    expect(() => prepareHead(200, given)).toThrow('cannot be sent');
  });
});
