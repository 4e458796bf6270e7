import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  Server,
  type ListToolsResult,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { JSON_MEDIA_TYPE, NO_STORE, type HttpAnswer } from '../http/answer.js';
import { agentMethods, capabilities, instructions, serverInfoOf, type AgentInterface } from './mcp-server.js';
import type { AgentSession } from './tools.js';

// Shared by all servers, each of which would otherwise create its own.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** How long a client may keep a list: `listChanged` tells it earlier. What is listed depends on the key. */
const keptByClients = { ttlMs: 60_000, cacheScope: 'private' } as const;

const cacheHints = {
  'server/discover': keptByClients,
  'tools/list': keptByClients,
  'prompts/list': keptByClients,
  'resources/list': keptByClients,
  'resources/templates/list': keptByClients,
};

/** A protocol server for one POST of revision 2026-07-28, which has no `initialize`. */
function perRequestServer(agent: AgentInterface, session: AgentSession): Server {
  const server = new Server(serverInfoOf(agent), {
    capabilities,
    instructions,
    jsonSchemaValidator,
    cacheHints,
  });
  const methods = agentMethods(agent, session);
  // One revision names the schemas of tools as objects, the other as JSON.
  server.setRequestHandler('tools/list', () => methods['tools/list']() as ListToolsResult);
  server.setRequestHandler('tools/call', methods['tools/call']);
  server.setRequestHandler('resources/list', methods['resources/list']);
  server.setRequestHandler('resources/templates/list', methods['resources/templates/list']);
  server.setRequestHandler('resources/read', methods['resources/read']);
  server.setRequestHandler('prompts/list', methods['prompts/list']);
  server.setRequestHandler('prompts/get', methods['prompts/get']);
  server.setRequestHandler('completion/complete', methods['completion/complete']);
  return server;
}

/** The response of a transport, which is not streamed. */
export async function answerFrom(response: Response): Promise<HttpAnswer> {
  const { status } = response;
  const text = await response.text();
  return text === ''
    ? { status, headers: [...NO_STORE, 'Content-Length', '0'], body: null }
    : { status, headers: NO_STORE, body: { text, mediaType: JSON_MEDIA_TYPE } };
}

/** The event stream that answers `subscriptions/listen`. */
export interface Subscription {
  readonly frames: Readable;
  /** Tells the client that lists have changed, as far as it asked for it. */
  notify(): void;
  /** Ends the frames. */
  end(): void;
}

function subscriptionOf(handler: McpHttpHandler, body: ReadableStream): Subscription {
  return {
    frames: Readable.fromWeb(body),
    notify: () => {
      handler.notify.toolsChanged();
      handler.notify.resourcesChanged();
    },
    end: () => void handler.close(),
  };
}

/** Responds to a message of revision 2026-07-28 with its own server, so any instance can handle any call. */
export async function answerPerRequest(
  request: Request,
  parsedBody: unknown,
  { agent, session }: { readonly agent: AgentInterface; readonly session: AgentSession },
): Promise<HttpAnswer | Subscription> {
  const handler = createMcpHandler(() => perRequestServer(agent, session), {
    legacy: 'reject',
    keepAliveMs: 0,
  });
  const response = await handler.fetch(request, { parsedBody });
  const { headers, body } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  return isStream && body !== null ? subscriptionOf(handler, body) : answerFrom(response);
}
