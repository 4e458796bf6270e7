import type { ServerResponse } from 'node:http';
import { toAppError } from '../../../contracts/procedure.js';
import type { OperationScope } from '../../procedures/index.js';
import { hideRate } from '../http/rate-headers.js';
import { sendFailure, sendJson } from '../http/send.js';

const publicFor = (seconds: number): string => `public, max-age=${seconds}, stale-while-revalidate=3600`;
const PRIVATE = 'private, no-store';

const VARY = 'Authorization, Accept-Encoding';

const surrogateKeyOf = ({ trace, catalog }: OperationScope): string =>
  trace.surrogateKey(catalog?.data.project.slug ?? '');

/** Cache headers of an answer with published content, names and values in turns (specification section 8). */
export const publishedHeaders = (scope: OperationScope): readonly string[] => [
  'Cache-Control',
  publicFor(scope.trace.maxAgeSeconds),
  'Surrogate-Key',
  surrogateKeyOf(scope),
  'Vary',
  VARY,
];

/** Cache headers of a delivery answer (specification section 8). */
export function setDeliveryHeaders(response: ServerResponse, scope: OperationScope): void {
  const { trace } = scope;
  response.setHeader('Cache-Control', trace.isPreview ? PRIVATE : publicFor(trace.maxAgeSeconds));
  if (trace.isPreview) response.setHeader('X-Robots-Tag', 'noindex');
  else hideRate(response);
  response.setHeader('Surrogate-Key', surrogateKeyOf(scope));
  response.setHeader('Vary', VARY);
}

/** Sends what shows a draft: no edge may keep it. */
export function sendPreview(response: ServerResponse, scope: OperationScope, output: unknown): void {
  setDeliveryHeaders(response, scope);
  sendJson(response, 200, output);
}

/** Answers a path that leads nowhere: the one failure that an edge may keep (decisions 2.29). */
export function sendCacheableFailure(
  response: ServerResponse,
  scope: OperationScope,
  failure: unknown,
): boolean {
  const error = toAppError(failure);
  if (error.code !== 'route_not_found') return false;
  setDeliveryHeaders(response, scope);
  sendFailure(response, error);
  return true;
}
