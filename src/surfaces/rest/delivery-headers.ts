import type { ServerResponse } from 'node:http';
import type { OperationScope } from '../../procedures/index.js';

const PUBLIC = 'public, max-age=60, stale-while-revalidate=3600';
const PRIVATE = 'private, no-store';

/** Cache headers of a delivery answer (specification section 8). */
export function setDeliveryHeaders(response: ServerResponse, { trace, catalog }: OperationScope): void {
  response.setHeader('Cache-Control', trace.isPreview ? PRIVATE : PUBLIC);
  if (trace.isPreview) response.setHeader('X-Robots-Tag', 'noindex');
  response.setHeader('Surrogate-Key', trace.surrogateKey(catalog?.data.project.slug ?? ''));
  response.setHeader('Vary', 'Authorization, Accept-Encoding');
}
