import type { ServerResponse } from 'node:http';
import { toAppError } from '../../../contracts/operation.js';
import type { OperationScope } from '../../procedures/index.js';
import { hideRate } from '../http/rate-headers.js';
import { sendFailure } from '../http/send.js';

const publicFor = (seconds: number): string => `public, max-age=${seconds}, stale-while-revalidate=3600`;
const PRIVATE = 'private, no-store';

/** Cache headers of a delivery answer (specification section 8). */
export function setDeliveryHeaders(response: ServerResponse, { trace, catalog }: OperationScope): void {
  response.setHeader('Cache-Control', trace.isPreview ? PRIVATE : publicFor(trace.maxAgeSeconds));
  if (trace.isPreview) response.setHeader('X-Robots-Tag', 'noindex');
  else hideRate(response);
  response.setHeader('Surrogate-Key', trace.surrogateKey(catalog?.data.project.slug ?? ''));
  response.setHeader('Vary', 'Authorization, Accept-Encoding');
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
