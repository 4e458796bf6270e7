import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';
import { listen } from '../../src/infrastructure/http-server.js';
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
  verifies('hard-timeouts');

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
  });
});
