import { AppError } from '../../../contracts/errors.js';
import type { BoundOperation, Services } from '../../procedures/index.js';
import type { Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { RestOperation } from './operation.js';
import { readOnlyKeysOf } from './read-only-keys.js';
import { RouteTable } from './route-table.js';

/** GET also serves HEAD. */
export function restRoutes(
  operations: readonly BoundOperation[],
  services: Services,
): RouteTable<RestOperation> {
  const table = new RouteTable<RestOperation>();
  for (const operation of operations) {
    const rest = operation.meta.openapi;
    if (rest === undefined) continue;
    const readOnly = readOnlyKeysOf(operation, operations);
    table.add(rest.method, rest.path, new RestOperation(operation, rest, { services, readOnly }));
  }
  return table;
}

/** @throws AppError 404 `not_found`, and those of the operation */
export function restAnswer(table: RouteTable<RestOperation>, exchange: Exchange): Answer | Promise<Answer> {
  const { method = 'GET', url = '/' } = exchange.request;
  const at = url.indexOf('?');
  const match = table.find(method === 'HEAD' ? 'GET' : method, at < 0 ? url : url.slice(0, at));
  if (match === undefined) throw new AppError('not_found');
  if ('allowed' in match) return methodNotAllowed(exchange, match.allowed);
  const { target, parameters } = match;
  return target.answer(exchange, { parameters, search: at < 0 ? '' : url.slice(at + 1) });
}
