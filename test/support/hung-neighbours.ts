import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { compose, type Composition } from '../../src/process/compose.js';
import type { CompositionOptions } from '../../src/process/parts/services.js';
import { defaultTimeouts } from '../../src/persistence/connections/session-settings.js';
import { testSecret, watchSecrets, type TestApp } from './app.js';
import { watchedLogger } from './log-lines.js';

/** Accepts connections and never sends a byte. */
export interface HungServer {
  readonly port: number;
  readonly url: string;
  close(): void;
}

export async function startHungServer(): Promise<HungServer> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: object | undefined;
}

interface Reply {
  readonly status: number;
  readonly body: { readonly error?: string; readonly data?: unknown };
}

/** A service over the database of another one, with the product's limit of concurrent requests. */
export interface LimitedService {
  readonly composition: Composition;
  send(request: Request): Promise<Reply>;
  /** Sends without waiting; each connection is closed by `leave`. */
  sendMany(count: number, request: (index: number) => Request): { leave(): void; readonly ended: number };
  /** The reading of a gauge; undefined if it has none. */
  metric(name: string, label: string): Promise<number | undefined>;
  close(): Promise<void>;
}

function open(baseUrl: string, { method, path, key, body }: Request): http.ClientRequest {
  const text = body === undefined ? '' : JSON.stringify(body);
  const request = http.request(`${baseUrl}${path}`, {
    method,
    agent: false,
    headers: {
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
      }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
  });
  request.on('error', () => undefined);
  request.end(text);
  return request;
}

async function replyOf(request: http.ClientRequest): Promise<Reply> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: JSON.parse(text) as Reply['body'] };
}

export async function startLimitedService(
  { databaseUrl, media }: TestApp,
  options: Partial<CompositionOptions>,
): Promise<LimitedService> {
  const composition = watchSecrets(
    await compose({
      serviceUrl: databaseUrl,
      readUrl: databaseUrl,
      poolSize: 8,
      queueSize: 200,
      media,
      timeouts: { ...defaultTimeouts, connectionMs: 30_000, statementMs: 60_000 },
      heartbeat: { staleAfterMs: 60_000, replyMs: 30_000 },
      tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
      logger: watchedLogger(),
      mcpAllowedOrigins: [],
      queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
      requestsAtOnce: 100,
      ...options,
    }),
  );
  const server = http.createServer(composition.handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    composition,
    send: (request) => replyOf(open(baseUrl, request)),
    sendMany: (count, request) => {
      let ended = 0;
      const all = Array.from({ length: count }, (_, index) => open(baseUrl, request(index)));
      for (const one of all)
        one.once('response', (response) => {
          ended += 1;
          response.resume();
        });
      return {
        leave: () => {
          for (const one of all) one.destroy();
        },
        get ended() {
          return ended;
        },
      };
    },
    metric: async (name, label) => {
      const { text } = await composition.metrics.render();
      const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes(`"${label}"`));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    },
    close: async () => {
      composition.beginDrain();
      server.closeAllConnections();
      server.close();
      await composition.close();
    },
  };
}
