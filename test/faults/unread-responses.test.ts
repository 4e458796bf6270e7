import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, type RunningServer } from '../../src/infrastructure/http-server.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import type { Exchange } from '../../src/surfaces/http/exchange.js';
import { listenerOf } from '../support/pipeline.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const log = createLogger('silent');
/** More than the system buffers of a connection hold. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x');
let server: RunningServer;
const sockets: net.Socket[] = [];

async function serve(handler: http.RequestListener, writeTimeoutMs?: number): Promise<void> {
  const limits =
    writeTimeoutMs === undefined ? undefined : { writeMs: writeTimeoutMs, bodyMs: 30_000, requestMs: 60_000 };
  server = await listen(handler, { host: '127.0.0.1', port: 0, log, limits });
}

/** Sends text on a connection that never reads. */
function sendUnread(text: string): net.Socket {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(text);
  sockets.push(socket);
  return socket;
}

const requestOf = (path: string, padding = 0): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Padding: ${'x'.repeat(padding)}\r\n\r\n`;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.drain(1);
});

describe('A client that does not read its responses', () => {
  verifies('limits/overload', 'limits/statement-timeouts');

  it('takes one slot with 40 KB of pipelined requests while another client is served', async () => {
    const started: http.ServerResponse[] = [];
    const route = ({ request, response }: Pick<Exchange, 'request' | 'response'>) => {
      if (request.url === '/slow') started.push(response);
      else response.end('ok');
      return undefined;
    };
    await serve(listenerOf(route, { maximum: 2 }));
    sendUnread(requestOf('/slow', 350).repeat(100));
    await waitFor('the first request starts', () => started.length > 0);
    for (let round = 0; round < 20; round += 1) expect((await fetch(server.url)).status).toBe(200);
    expect(started).toHaveLength(1);
  });

  it('is disconnected when more than 100 of its requests wait', async () => {
    let started = 0;
    await serve(() => void (started += 1));
    const socket = sendUnread(requestOf('/').repeat(1000)).resume();
    await once(socket, 'close');
    expect(started).toBe(1);
  });

  it('takes no slot once its responses are made, even as one of 300', async () => {
    let made = 0;
    const route = ({ request, response }: Pick<Exchange, 'request' | 'response'>) => {
      if (request.url === '/large') made += 1;
      response.end(request.url === '/large' ? large : 'ok');
      return undefined;
    };
    await serve(listenerOf(route, { maximum: 1 }));
    for (let count = 0; count < 300; count += 1) sendUnread(requestOf('/large'));
    await waitFor('every connection is served', () => made === 300);
    expect((await fetch(server.url)).status).toBe(200);
  });

  it('is disconnected when its unread bytes make no progress, but not while its request is worked on', async () => {
    let slow: http.ServerResponse | undefined;
    const areRead: boolean[] = [];
    await serve((request, response) => {
      if (request.url === '/slow') slow = response;
      else {
        response.once('close', () => areRead.push(response.writableFinished));
        response.end(large);
      }
    }, 100);
    const waiting = fetch(`${server.url}/slow`);
    await waitFor('the slow request arrives', () => slow !== undefined);
    sendUnread(requestOf('/'));
    await waitFor('the connection that does not read is closed', () => areRead.length > 0);
    expect(areRead).toEqual([false]);
    slow?.end('late');
    expect(await (await waiting).text()).toBe('late');
  });
});

describe('A client that reads pipelined responses', () => {
  it('receives all of them in order', async () => {
    await serve((request, response) => {
      setImmediate(() => response.end(`<${String(request.url)}>`));
    });
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    let text = '';
    socket.on('data', (part) => (text += String(part)));
    socket.write(Array.from({ length: 101 }, (_, n) => requestOf(`/${n}`)).join(''));
    await waitFor('the last response arrives', () => text.includes('</100>'));
    const paths = [...text.matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n));
    expect(paths).toEqual(Array.from({ length: 101 }, (_, n) => n));
  });
});
