import { seesDrafts } from '../access/principal.js';
import {
  TracedDocuments,
  tracedRoutes,
  tracedSitemap,
  type DeliveryRead,
} from '../features/delivery/index.js';
import type { OperationScope } from './call.js';
import { draftsOf } from './draft-read.js';
import { previewRead } from './preview-read.js';

/** Reads drafts for principals who may see them, unless they ask for published content. */
export function deliveryRead(
  scope: OperationScope,
  wantsDrafts: boolean = seesDrafts(scope.principal),
): DeliveryRead {
  const { catalog, services, trace } = scope;
  if (catalog === null) throw new Error('delivery outside a project');
  if (seesDrafts(scope.principal)) trace.markPreview();
  const { id } = catalog.data.environment;
  const source = wantsDrafts ? draftsOf(scope, catalog) : services.publishedDocuments(id);
  const { maxReferenceDepth } = services;
  return {
    catalog,
    source: new TracedDocuments(source, trace),
    trace,
    // Lazy: most reads need neither.
    get routes() {
      return tracedRoutes(services.routes(id), trace);
    },
    get sitemap() {
      return tracedSitemap(services.sitemaps(id), trace);
    },
    maxReferenceDepth,
  };
}

/** As {@link deliveryRead}, or the draft that a preview token names. */
export const previewableRead = (
  scope: OperationScope,
  { previewToken: token }: { previewToken?: string | undefined },
): DeliveryRead | Promise<DeliveryRead> =>
  token === undefined ? deliveryRead(scope) : previewRead(scope, token);
