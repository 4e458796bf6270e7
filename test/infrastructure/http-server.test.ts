import { pbkdf2Sync } from 'node:crypto';
import http from 'node:http';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, type RunningServer } from '../../src/infrastructure/http-server.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import { hammer } from '../support/keep-alive.js';
import { waitFor } from '../support/wait-for.js';

const log = createLogger('silent');
let server: RunningServer;

async function serve(handler: http.RequestListener): Promise<RunningServer> {
  server = await listen(handler, { host: '127.0.0.1', port: 0, log });
  return server;
}

async function get(
  agent: http.Agent,
  path = '/',
): Promise<{ status: number; connection: string; body: string }> {
  const request = http.get(`${server.url}${path}`, { agent });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += String(part);
  return { status: response.statusCode ?? 0, connection: response.headers.connection ?? '', body };
}

/** Returns everything received until the connection ends. */
async function exchange(text: string): Promise<string> {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(text);
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

const ok: http.RequestListener = (_request, response) => response.end('ok');

afterEach(() => server.drain(1));

describe('A server that listens', () => {
  it('fails with the taken port and the setting to change', async () => {
    const { url } = await serve(ok);
    const port = Number(new URL(url).port);
    await expect(listen(ok, { host: '127.0.0.1', port, log })).rejects.toThrow(
      new Error(`Port ${port} is taken: set PORT to another one.`),
    );
  });

  it.each([
    ['400', 'malformed HTTP', 'NONSENSE\r\n\r\n'],
    ['400', 'a request without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['400', 'two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n'],
    ['400', 'two equal Host headers over HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n'],
    ['400', 'a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
    ['431', 'headers over 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['431', 'headers far over 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['414', 'a URL over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['414', 'a URL far over 16 KiB', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('returns %s in the failure envelope to %s, and closes the connection', async (status, _what, text) => {
    await serve(ok);
    const answer = await exchange(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('Connection: close');
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(body).toEqual({ error: 'invalid_request', message: expect.any(String) });
  });

  it('serves a URL of 16 KiB beside headers of 15 KiB', async () => {
    await serve(ok);
    const head = `GET /${'u'.repeat(16_383)} HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(15_000)}`;
    expect(await exchange(`${head}\r\nConnection: close\r\n\r\n`)).toMatch(/ 200 OK/);
  });

  it('ignores an unknown Expect header', async () => {
    await serve(ok);
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n')).toMatch(
      / 200 OK/,
    );
  });
});

describe('A server that drains', () => {
  it('finishes started requests with Connection: close, and refuses new connections', async () => {
    const started: http.ServerResponse[] = [];
    await serve((request, response) => {
      if (request.url === '/late') started.push(response);
      else response.end('ok');
    });
    const begun = get(new http.Agent({ keepAlive: true }), '/late');
    await waitFor('the request arrives', () => started.length > 0);
    // Longer than the test: only a drain that ends by itself passes.
    const drained = server.drain(300);
    expect(server.isDraining).toBe(true);
    // A client that connects while the accept queue is emptied is still served.
    expect(await hammer(server.url).end).toBe('ECONNREFUSED');
    started[0]?.end('late');
    expect(await begun).toEqual({ status: 200, connection: 'close', body: 'late' });
    await drained;
  });

  it.each([
    { load: 'idle', rounds: 1 },
    { load: 'busy in every turn of the event loop', rounds: 5000 },
  ])('resets no client that reconnects without a pause while it is $load', async ({ rounds }) => {
    await serve((_request, response) => {
      pbkdf2Sync('busy', 'work', rounds, 32, 'sha256');
      setTimeout(() => response.end('ok'), 5);
    });
    const answers: string[] = [];
    const client = async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      try {
        for (;;) answers.push((await get(agent)).connection);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await waitFor('every client is connected', () => answers.length >= 100);
    await server.drain(300);
    expect(await Promise.all(clients)).toEqual(Array.from({ length: 20 }, () => 'ECONNREFUSED'));
    // More if a client reconnected while the accept queue was emptied.
    expect(answers.filter((connection) => connection === 'close').length).toBeGreaterThanOrEqual(20);
  });

  it('closes idle connections without waiting for their timeout', async () => {
    await serve(ok);
    await get(new http.Agent({ keepAlive: true }));
    const unused = net.connect(Number(new URL(server.url).port), '127.0.0.1').resume();
    await once(unused, 'connect');
    await server.drain(300);
  });

  it('aborts responses that do not end in time', async () => {
    await serve((_request, response) => void response.write('for ever'));
    const request = http.get(server.url);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const ended = once(response.resume(), 'error');
    await server.drain(0.5);
    expect(await ended).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});
