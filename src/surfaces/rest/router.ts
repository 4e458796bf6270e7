import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import type { BoundOperation, Services } from '../../procedures/index.js';
import { methodNotAllowed, RestOperation } from './operation.js';
import { RouteTable } from './route-table.js';

/** Every operation that has a route. A GET answers HEAD, too; node leaves the body away. */
export function restRoutes(
  operations: readonly BoundOperation[],
  services: Services,
): RouteTable<RestOperation> {
  const table = new RouteTable<RestOperation>();
  for (const operation of operations) {
    const rest = operation.meta.openapi;
    if (rest !== undefined) table.add(rest.method, rest.path, new RestOperation(operation, rest, services));
  }
  return table;
}

/**
 * Serves a request by the table.
 * @throws AppError 404 `not_found`, 405 `method_not_allowed`, and whatever the operation throws
 */
export async function serveRest(
  table: RouteTable<RestOperation>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/', ...rest] = (request.url ?? '/').split('?');
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const match = table.find(method, path);
  if (match === undefined) throw new AppError('not_found');
  if ('allowed' in match) throw methodNotAllowed(response, match.allowed);
  await match.target.serve({ request, response, parameters: match.parameters, search: rest.join('?') });
}
