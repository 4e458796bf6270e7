import { AppError } from '../../contracts/errors.js';
import { seesDrafts } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import {
  ActiveDocuments,
  PreviewedDocument,
  TracedDocuments,
  tracedRoutes,
  tracedSitemap,
  tracedTree,
  type DeliveryRead,
  type DocumentSource,
  type RouteSource,
} from '../features/delivery/index.js';
import type { OperationScope } from './call.js';
import { draftsOf } from './draft-read.js';
import { mediaOf } from './media-read.js';
import { previewRead } from './preview-read.js';
import { serviceOrigin } from './service-origin.js';

/** As the caller sees it: delivery keys and anonymous callers see no inactive sites (decisions 3.1). */
function visibleCatalog({ catalog, principal }: OperationScope): Catalog {
  if (catalog === null) throw new Error('Delivery requires a project');
  return seesDrafts(principal) ? catalog : catalog.active;
}

function publishedOf(scope: OperationScope): DocumentSource {
  const { services, trace } = scope;
  const catalog = visibleCatalog(scope);
  const published = new TracedDocuments(services.publishedDocuments(catalog.data.environment.id), trace);
  return catalog.isPartial ? new ActiveDocuments(published, catalog) : published;
}

/** Documents of the environment; reads are traced. */
export function documentsOf(scope: OperationScope, wantsDrafts: boolean): DocumentSource {
  const { catalog, trace, mode } = scope;
  if (catalog === null) throw new Error('Delivery requires a project');
  if (wantsDrafts) return new TracedDocuments(draftsOf(scope, catalog), trace);
  const published = publishedOf(scope);
  return mode.preview === undefined ? published : new PreviewedDocument({ ...mode.preview, published });
}

/** Paths of the environment; reads are traced. */
export const routesOf = ({ services, trace }: OperationScope, catalog: Catalog): RouteSource =>
  tracedRoutes(services.routes(catalog.data.environment.id), trace);

/** Reads drafts by default for principals who can see them. */
export function deliveryRead(
  scope: OperationScope,
  wantsDrafts: boolean = seesDrafts(scope.principal),
): DeliveryRead {
  const { services, trace, mode } = scope;
  const catalog = visibleCatalog(scope);
  if (seesDrafts(scope.principal)) trace.markPreview();
  const { id } = catalog.data.environment;
  const { maxReferenceDepth } = services;
  return {
    catalog,
    source: mode.documents?.(wantsDrafts) ?? documentsOf(scope, wantsDrafts),
    trace,
    // Lazy: most reads need neither.
    get routes() {
      return routesOf(scope, catalog);
    },
    get sitemap() {
      return tracedSitemap(services.sitemaps(id), trace);
    },
    get tree() {
      return tracedTree(services.trees(id), trace);
    },
    serviceOrigin: () => serviceOrigin(scope),
    get media() {
      return mode.media?.() ?? mediaOf(scope);
    },
    maxReferenceDepth,
    ...(mode.preview !== undefined && { preview: mode.preview }),
    unknownParameters: mode.unknownParameters,
  };
}

/** {@link deliveryRead}, or the draft of a preview token. */
export const deliveryReadWithToken = (
  scope: OperationScope,
  { previewToken: token }: { previewToken?: string | undefined },
): DeliveryRead | Promise<DeliveryRead> =>
  token === undefined ? deliveryRead(scope) : previewRead(scope, token);

/**
 * {@link deliveryRead}; `preview` selects drafts or published content.
 * @throws AppError 400 `preview_not_allowed`
 */
export function deliveryReadWithPreview(
  scope: OperationScope,
  { preview }: { preview?: boolean | undefined },
): DeliveryRead {
  if (preview === true && !seesDrafts(scope.principal)) throw new AppError('preview_not_allowed');
  return deliveryRead(scope, preview);
}
