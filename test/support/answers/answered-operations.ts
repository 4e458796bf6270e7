import type { BoundOperation } from '../../../src/procedures/index.js';
import type { SeenRequest } from '../secrets/called-operations.js';

export interface AnsweredOperation {
  readonly operation: BoundOperation;
  /** Finds its output in the response body. */
  readonly output: (reply: unknown) => unknown;
}

const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

/** The operations that a request calls over REST, tRPC or MCP. */
export function answeredOperations(
  operations: readonly BoundOperation[],
): (request: SeenRequest) => readonly AnsweredOperation[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const byTool = new Map(operations.map((operation) => [operation.meta.mcp?.tool, operation]));
  const routes = operations.flatMap((operation) => {
    const { openapi } = operation.meta;
    if (openapi === undefined) return [];
    const path = new RegExp(`^${openapi.path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
    return [{ method: openapi.method, path, isLiteral: !openapi.path.endsWith('}'), operation }];
  });
  // `versions/diff` before `versions/{versionNum}`.
  routes.sort((a, b) => Number(b.isLiteral) - Number(a.isLiteral));
  return ({ method, pathname, body }) => {
    if (pathname.startsWith('/api/trpc/')) {
      const names = decodeURIComponent(pathname.slice('/api/trpc/'.length)).split(',');
      return names.flatMap((name, index) => {
        const operation = byName.get(name);
        const output = (reply: unknown) => at(reply, 'result', 'data') ?? at(reply, index, 'result', 'data');
        return operation === undefined ? [] : [{ operation, output }];
      });
    }
    if (pathname.startsWith('/api/mcp/')) {
      const operation = byTool.get(String(at(body, 'params', 'name')));
      const output = (reply: unknown) => at(reply, 'result', 'structuredContent');
      return operation === undefined ? [] : [{ operation, output }];
    }
    const route = routes.find((one) => one.method === method && one.path.test(pathname));
    return route === undefined ? [] : [{ operation: route.operation, output: (reply) => reply }];
  };
}
