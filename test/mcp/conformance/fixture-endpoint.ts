import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Route } from '../../../src/surfaces/http/pipeline.js';
import { assertOrigin } from '../../../src/surfaces/mcp/handler.js';
import { readMessage } from '../../../src/surfaces/mcp/handle-message.js';
import { RpcFailure, rpcFailureAnswer } from '../../../src/surfaces/mcp/tools.js';
import { listenerOf } from '../../support/pipeline.js';
import { fixtureServer } from './fixture-server.js';

export interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

type Transport = WebStandardStreamableHTTPServerTransport;

/** Listens on a free local port. */
export async function listen(answer: RequestListener): Promise<Endpoint> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function send(answer: Response, response: ServerResponse): void {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else Readable.fromWeb(answer.body).pipe(response);
}

async function transportFor(sessions: Map<string, Transport>, id: unknown): Promise<Transport> {
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (known !== undefined) return known;
  const transport: Transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
  });
  await fixtureServer().connect(transport);
  return transport;
}

/**
 * Serves the fixture over the product's transport, message parsing and origin check. Adds sessions and event
 * streams, which tools that send requests to the client need.
 */
export function serveFixture(): Promise<Endpoint> {
  const sessions = new Map<string, Transport>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    assertOrigin(request, { allowedOrigins: [], baseUrl: '' });
    const parsedBody = request.method === 'POST' ? (await readMessage(request)).message : undefined;
    const headers = new Headers(request.headers as Record<string, string>);
    const received = new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers });
    const transport = await transportFor(sessions, request.headers['mcp-session-id']);
    send(await transport.handleRequest(received, { parsedBody }), response);
  };
  const route: Route = async ({ request, response }) => {
    try {
      await answer(request, response);
      return undefined;
    } catch (error) {
      if (error instanceof RpcFailure) return rpcFailureAnswer(error);
      throw error;
    }
  };
  return listen(listenerOf(route));
}
