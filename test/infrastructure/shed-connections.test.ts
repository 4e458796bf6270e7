import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, type RunningServer } from '../../src/infrastructure/http-server.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import { hammer } from '../support/keep-alive.js';
import { verifies } from '../support/verifies.js';

const log = createLogger('silent');
const BURST = 1000;
const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfull';

let server: RunningServer;
let isFull = true;
const served: string[] = [];
const looked: string[] = [];

async function open(): Promise<void> {
  [isFull, served.length, looked.length] = [true, 0, 0];
  server = await listen(
    (request, response) => {
      served.push(request.url ?? '');
      const answer = () => response.end(`served ${request.url ?? ''}`);
      // A request without a body has no stream that ends.
      if (request.method === 'POST') request.resume().once('end', answer);
      else answer();
    },
    {
      host: '127.0.0.1',
      port: 0,
      log,
      shedding: {
        mayRefuse: () => isFull,
        refusalOf: ({ method, url }) => {
          looked.push(`${method} ${url}`);
          return isFull && url !== '/healthz' ? REFUSAL : undefined;
        },
      },
    },
  );
}

afterEach(() => server.drain(1));

/** Sends the parts one after the other and returns everything received until the connection ends. */
async function exchange(...parts: string[]): Promise<string> {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  const [first = '', ...rest] = parts;
  socket.write(first);
  let answer = '';
  const read = (async () => {
    for await (const part of socket) answer += String(part);
  })();
  for (const part of rest) {
    await delay(20);
    socket.write(part);
  }
  await read;
  return answer;
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

describe('A full server', () => {
  verifies('limits/overload');

  it('refuses a thousand connections that arrive at once, none of which reaches the handler', async () => {
    await open();
    const answers = await Promise.all(Array.from({ length: BURST }, () => exchange(get('/work'))));
    expect(new Set(answers)).toEqual(new Set([REFUSAL]));
    expect(served).toEqual([]);
    expect(looked).toHaveLength(BURST);
  });

  it('serves what is never refused, with its body', async () => {
    await open();
    const head = 'POST /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 8\r\n\r\n';
    expect(await exchange(`${head}body`, 'more')).toContain('served /healthz');
    expect(await exchange(get('/healthz'))).toContain('served /healthz');
    expect(served).toEqual(['/healthz', '/healthz']);
  });

  it('serves a connection whose first bytes arrive when it is no longer full', async () => {
    await open();
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    await once(socket, 'connect');
    await exchange(get('/healthz'));
    isFull = false;
    socket.write(get('/late'));
    let answer = '';
    for await (const part of socket) answer += String(part);
    expect(answer).toContain('served /late');
  });

  it('leaves requests to node:http whose first line is not among the first bytes', async () => {
    await open();
    const target = `/long?${'x'.repeat(5000)}`;
    expect(await exchange(get(target))).toContain('served /long');
    expect(looked).toEqual([]);
  });

  it('survives connections that are reset before they send anything', async () => {
    await open();
    for (let count = 0; count < 20; count += 1) {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.resetAndDestroy();
    }
    expect(await exchange(get('/healthz'))).toContain('served /healthz');
  });
});

describe('A full server that drains', () => {
  verifies('limits/overload', 'operation/stop');

  it('resets no client that connects again after each refusal', async () => {
    await open();
    const clients = Array.from({ length: 20 }, () => hammer(`${server.url}/work`));
    await Promise.all(clients.map(({ isConnected }) => isConnected));
    await server.drain(300);
    expect(await Promise.all(clients.map(({ end }) => end))).toEqual(
      Array.from({ length: 20 }, () => 'ECONNREFUSED'),
    );
    // Requests that arrive while the accept queue is emptied wait, and reach the handler.
    expect(served.length).toBeGreaterThan(0);
  });
});

describe('A server with free slots', () => {
  verifies('limits/overload');

  it('serves a thousand connections that arrive at once, without looking at their bytes first', async () => {
    await open();
    isFull = false;
    const answers = await Promise.all(Array.from({ length: BURST }, () => exchange(get('/work'))));
    expect(answers.filter((answer) => answer.includes('served /work'))).toHaveLength(BURST);
    expect(looked).toEqual([]);
  });
});
