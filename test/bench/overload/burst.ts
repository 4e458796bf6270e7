import net from 'node:net';
import type { LoadRequest, Outcome } from './load.js';

const statusLine = /^HTTP\/1\.1 (\d{3}) /;

/** Sends one request over a new connection, and reads the first bytes of its response. */
function sendOne(text: string, { hostname, port }: URL): Promise<number> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    const settle = (status: number): void => {
      socket.destroy();
      resolve(status);
    };
    socket.setNoDelay(true);
    socket.once('data', (bytes) => {
      settle(Number(statusLine.exec(bytes.toString('latin1', 0, 16))?.[1] ?? 0));
    });
    socket.once('error', () => {
      settle(0);
    });
  });
}

/** Opens `count` connections at once, each with one request. Less work for the client than `fetch`. */
export async function burst({ url, headers }: LoadRequest, count: number, outcome: Outcome): Promise<void> {
  const target = new URL(url);
  const lines = Object.entries({ Host: target.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const text = [`GET ${target.pathname}${target.search} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const status = await sendOne(text, target);
      outcome.note(status, performance.now() - startedAt);
    }),
  );
}
