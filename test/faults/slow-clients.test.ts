import type http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';
import { listen, type ProgressLimits, type RunningServer } from '../../src/infrastructure/http-server.js';
import { verifies } from '../support/verifies.js';

/** What a server says to a connection that sends so much and then nothing. */
async function sendAndWait(url: string, text: string): Promise<string> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(text);
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

describe('A client that sends its request slowly', () => {
  verifies('limits/statement-timeouts');

  it('receives 408 and is disconnected, even as one of 300, while other clients are served', async () => {
    const server = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
      log: createLogger('silent'),
    });
    const slow = Array.from({ length: 300 }, () =>
      sendAndWait(server.url, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '),
    );
    expect(await (await fetch(server.url)).text()).toBe('ok');
    for (const answer of await Promise.all(slow)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"error":"invalid_request"');
    }
    await server.drain(1);
  }, 120_000);
});

describe('A client that sends its body slowly', () => {
  verifies('limits/statement-timeouts');

  const PART_MS = 100;
  let server: RunningServer;

  async function serve(limits: Partial<ProgressLimits>, handler: http.RequestListener): Promise<void> {
    const given = { writeMs: 30_000, bodyMs: 30_000, requestMs: 600_000, ...limits };
    const options = { host: '127.0.0.1', port: 0, log: createLogger('silent'), limits: given };
    server = await listen(handler, options);
  }

  afterEach(() => server.drain(1));

  const countBytes: http.RequestListener = (request, response) => {
    let size = 0;
    request.on('data', (bytes: Buffer) => (size += bytes.length));
    request.on('end', () => response.end(`received ${String(size)}`));
    request.on('error', () => undefined);
  };

  /** Sends parts of a body, at most as many, until the server ends the connection; returns what it said. */
  async function upload(part: Buffer, most: number): Promise<{ answer: string; sent: number }> {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    let isOpen = true;
    socket.on('data', (text: string) => (answer += text));
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        isOpen = false;
        resolve();
      });
    });
    const length = String(part.length * most);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
    let sent = 0;
    for (; isOpen && sent < most; sent += 1) {
      socket.write(part);
      await delay(PART_MS);
    }
    await closed;
    return { answer, sent };
  }

  it('is served if every part of it makes progress, however long the whole takes', async () => {
    await serve({ bodyMs: 1500 }, countBytes);
    const { answer } = await upload(Buffer.alloc(4096, 'x'), 50);
    expect(answer).toMatch(/received 204800$/);
  });

  it('is disconnected when single bytes arrive', async () => {
    await serve({ bodyMs: 1500 }, countBytes);
    const many = 600;
    const { answer, sent } = await upload(Buffer.alloc(1, 'x'), many);
    expect([answer, sent < many]).toEqual(['', true]);
  });

  it('is disconnected when the whole takes longer than a request may', async () => {
    await serve({ requestMs: 2000 }, countBytes);
    const many = 600;
    const { answer, sent } = await upload(Buffer.alloc(4096, 'x'), many);
    expect([answer, sent < many]).toEqual(['', true]);
  });

  it('is not disconnected while the service does not read', async () => {
    let release = (): void => undefined;
    await serve({ bodyMs: 500 }, (request, response) => {
      release = () => {
        countBytes(request, response);
      };
    });
    const sent = upload(Buffer.alloc(512 * 1024, 'x'), 4);
    // Many times as long as a client may be silent.
    await delay(4000);
    release();
    expect((await sent).answer).toMatch(/received 2097152$/);
  });
});
