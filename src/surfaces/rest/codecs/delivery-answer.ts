import { toAppError } from '../../../../contracts/procedure.js';
import type { OperationScope } from '../../../procedures/index.js';
import { EntryText } from '../../../features/publishing/delivery/index.js';
import {
  JSON_MEDIA_TYPE,
  type Answer,
  type HeaderList,
  type StreamBody,
  type WholeBody,
} from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { failureAnswer } from '../../http/failure-answer.js';
import { failureBody } from '../../../../contracts/errors.js';

const VARY = 'Authorization, Accept-Encoding';

/** Cache headers (specification section 8). */
function deliveryHeaders({ trace, catalog }: OperationScope): string[] {
  const key = trace.surrogateKey(catalog?.data.project.slug ?? '');
  const headers = ['Surrogate-Key', key, 'Vary', VARY];
  if (trace.isPreview) headers.push('Cache-Control', 'private, no-store', 'X-Robots-Tag', 'noindex');
  else headers.push('Cache-Control', `public, max-age=${trace.maxAgeSeconds}, stale-while-revalidate=3600`);
  return headers;
}

/** Entries are sent as the text that they are. */
export function deliveryBody(output: unknown): WholeBody {
  const written = EntryText.envelope(output as Readonly<Record<string, unknown>>);
  if (written === undefined) return { json: output };
  return { text: written.text, mediaType: JSON_MEDIA_TYPE, identity: written.identity };
}

/** Public unless it shows a draft. */
export const deliveryAnswer = (
  scope: OperationScope,
  body: WholeBody | StreamBody,
  headers: HeaderList = [],
): Answer => ({
  status: 200,
  headers: [...deliveryHeaders(scope), ...headers],
  body,
  isPublic: !scope.trace.isPreview,
  delivery: scope,
});

/** Shared caches may store only `route_not_found` and `route_gone` (rules delivery/caching and routing/redirect-targets). */
export function deliveryFailure(exchange: Exchange, scope: OperationScope, failure: unknown): Answer {
  const error = toAppError(failure);
  if (error.code !== 'route_not_found' && error.code !== 'route_gone')
    return { ...failureAnswer(exchange, failure), delivery: scope };
  return {
    ...deliveryAnswer(scope, { json: failureBody(error) }),
    status: error.status,
  };
}
