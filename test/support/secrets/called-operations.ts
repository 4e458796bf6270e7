import type { BoundOperation } from '../../../src/procedures/index.js';
import { secretPlaces, type SecretPlaces } from './secret-places.js';

export interface SeenRequest {
  readonly method: string;
  readonly pathname: string;
  /** Parsed JSON; undefined when invalid. */
  readonly body: unknown;
}

/** A called operation: its input, and how to find its output in the response body. */
export interface CalledOperation {
  readonly places: SecretPlaces;
  readonly input: unknown;
  readonly output: (reply: unknown) => unknown;
}

const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

function overTrpc({ pathname, body }: SeenRequest): CalledOperation[] {
  const names = decodeURIComponent(pathname.slice('/api/trpc/'.length)).split(',');
  return names.flatMap((name, index): CalledOperation[] => {
    const places = secretPlaces[name];
    const output = (reply: unknown) => at(reply, 'result', 'data') ?? at(reply, index, 'result', 'data');
    return places === undefined ? [] : [{ places, input: at(body, String(index)) ?? body, output }];
  });
}

/** A separate protocol, without an operation. */
const tokenEndpoint: CalledOperation = {
  places: { shown: { access_token: 'API key' } },
  input: undefined,
  output: (reply) => reply,
};

/** The operations with {@link secretPlaces} that a request calls, on any surface. */
export function secretCalls(
  operations: readonly BoundOperation[],
): (request: SeenRequest) => readonly CalledOperation[] {
  const routes = operations.flatMap(({ name, meta: { openapi } }) => {
    const places = secretPlaces[name];
    if (places === undefined || openapi === undefined) return [];
    const path = new RegExp(`^${openapi.path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
    return [{ method: openapi.method, path, places }];
  });
  const tools = new Map(
    operations.flatMap(({ name, meta: { mcp } }) =>
      mcp === undefined ? [] : [[mcp.tool, secretPlaces[name]]],
    ),
  );
  return (request) => {
    const { method, pathname, body } = request;
    if (pathname === '/oauth/token') return [tokenEndpoint];
    if (pathname.startsWith('/api/trpc/')) return overTrpc(request);
    if (pathname.startsWith('/api/mcp/')) {
      const places = tools.get(at(body, 'params', 'name') as string);
      const output = (reply: unknown) => at(reply, 'result', 'structuredContent');
      return places === undefined ? [] : [{ places, input: undefined, output }];
    }
    return routes
      .filter((route) => route.method === method && route.path.test(pathname))
      .map(({ places }) => ({ places, input: body, output: (reply) => reply }));
  };
}
