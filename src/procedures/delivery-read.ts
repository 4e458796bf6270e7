import { AppError } from '../../contracts/errors.js';
import { seesDrafts } from '../access/principal.js';
import { isPreviewSession } from '../access/signed-token.js';
import type { Catalog } from '../content/catalog.js';
import {
  ActiveDocuments,
  overlaidUnit,
  PreviewedDocument,
  SiteDrafts,
  TracedDocuments,
  tracedRoutes,
  tracedSitemap,
  tracedTree,
  type DeliveryRead,
  type DeliveryTrace,
  type DocumentSource,
  type PreviewScope,
  type ReadMedia,
  type RouteSource,
  type SitemapSource,
  type SyncRead,
  type TreeSource,
} from '../features/publishing/delivery/index.js';
import type { SiteSearch } from '../features/insight/search/index.js';
import type { OperationScope } from './call.js';
import type { PublishedReads } from './services.js';
import { draftsOf, mediaOf, previewRead, serviceOrigin } from './preview-read.js';

/**
 * As the caller sees it: delivery keys and anonymous callers see no inactive sites (rule delivery/operations), preview
 * sessions none but their own.
 */
function visibleCatalog({ catalog, principal }: OperationScope): Catalog {
  if (catalog === null) throw new Error('Delivery requires a project');
  if (principal.kind === 'preview') return catalog.forPreview(principal.siteId, principal.locales);
  return seesDrafts(principal) ? catalog : catalog.active;
}

function publishedOf(scope: OperationScope): DocumentSource {
  const { services, trace, mode } = scope;
  const catalog = visibleCatalog(scope);
  const reads = mode.future ?? services;
  const documents = reads.publishedDocuments(catalog.data.environment.id, mode.onlyFields);
  const published = new TracedDocuments(documents, trace);
  return catalog.isPartial ? new ActiveDocuments(published, catalog) : published;
}

/** Documents of the environment; reads are traced. What will be published has no drafts. */
export function documentsOf(scope: OperationScope, wantsDrafts: boolean): DocumentSource {
  const { catalog, trace, mode } = scope;
  if (catalog === null) throw new Error('Delivery requires a project');
  if (wantsDrafts && mode.future === undefined) {
    const drafts = new TracedDocuments(draftsOf(scope, catalog), trace);
    const { principal } = scope;
    if (principal.kind !== 'preview') return drafts;
    return new SiteDrafts({ siteId: principal.siteId, drafts, published: publishedOf(scope) });
  }
  const published = publishedOf(scope);
  return mode.preview === undefined ? published : new PreviewedDocument({ ...mode.preview, published });
}

/** Paths of the environment; reads are traced. */
export const routesOf = ({ services, trace, mode }: OperationScope, catalog: Catalog): RouteSource =>
  tracedRoutes((mode.future ?? services).routes(catalog.data.environment.id), trace);

/**
 * Opens sources on first use. A class: V8 keeps the accessors of an object literal, and with them the whole request,
 * until a major collection.
 */
class ScopedRead implements DeliveryRead {
  readonly trace: DeliveryTrace;
  readonly maxReferenceDepth: number;
  readonly preview: PreviewScope | undefined;
  readonly onlySiteId: string | undefined;
  readonly unknownParameters: readonly string[] | undefined;
  readonly writesText: boolean | undefined;
  readonly isFuture: boolean;

  constructor(
    private readonly scope: OperationScope,
    readonly catalog: Catalog,
    readonly source: DocumentSource,
  ) {
    const { services, trace, mode } = scope;
    this.trace = trace;
    this.maxReferenceDepth = services.maxReferenceDepth;
    this.preview = mode.preview;
    this.onlySiteId = scope.principal.kind === 'preview' ? scope.principal.siteId : undefined;
    this.unknownParameters = mode.unknownParameters;
    this.writesText = mode.writesText;
    this.isFuture = mode.future !== undefined;
  }

  get routes(): RouteSource {
    return routesOf(this.scope, this.catalog);
  }

  get sitemap(): SitemapSource {
    return tracedSitemap(this.#reads.sitemaps(this.#environmentId), this.trace);
  }

  get tree(): TreeSource {
    return tracedTree(this.#reads.trees(this.#environmentId), this.trace);
  }

  get media(): ReadMedia {
    return this.scope.mode.media?.() ?? mediaOf(this.scope);
  }

  serviceOrigin(): string {
    return serviceOrigin(this.scope);
  }

  get #reads(): PublishedReads {
    return this.scope.mode.future ?? this.scope.services;
  }

  get #environmentId(): string {
    return this.catalog.data.environment.id;
  }
}

/** Reads drafts by default for principals who can see them. */
export function deliveryRead(
  scope: OperationScope,
  wantsDrafts: boolean = seesDrafts(scope.principal),
): DeliveryRead {
  const { trace, mode } = scope;
  const catalog = visibleCatalog(scope);
  if (seesDrafts(scope.principal)) trace.markPreview();
  const isDraft = wantsDrafts && mode.future === undefined;
  return new ScopedRead(scope, catalog, mode.documents?.(isDraft) ?? documentsOf(scope, isDraft));
}

/** {@link deliveryRead}, or for the present the draft of a preview link. Admission has verified the token of a session. */
export const deliveryReadWithToken = (
  scope: OperationScope,
  { previewToken: token }: { previewToken?: string | undefined },
): DeliveryRead | Promise<DeliveryRead> =>
  token === undefined || isPreviewSession(token) || scope.mode.future !== undefined
    ? deliveryRead(scope)
    : previewRead(scope, token);

/**
 * {@link deliveryRead}; `preview` selects drafts or published content.
 * @throws AppError 403 `preview_not_allowed`
 */
export function deliveryReadWithPreview(
  scope: OperationScope,
  { preview }: { preview?: boolean | undefined },
): DeliveryRead {
  if (preview === true && !seesDrafts(scope.principal)) throw new AppError('preview_not_allowed');
  return deliveryRead(scope, preview);
}

/** Published content, also for principals who can see drafts, with its changes. */
export function syncRead(scope: OperationScope): SyncRead {
  const { services, principal } = scope;
  const read = deliveryRead(scope, false);
  return {
    read,
    source: services.syncChanges(read.catalog.data.environment.id),
    cursors: services.syncCursors,
    clock: services.clock,
    isPreview: seesDrafts(principal),
  };
}

/** Adds the index to a delivery read. Each of its reads has its own unit of work. */
export const siteSearch = ({ services, work, mode }: OperationScope, read: DeliveryRead): SiteSearch => ({
  read,
  services: services.search,
  inUnit: async (run) => {
    const overlay = await mode.future?.overlayForSearch();
    return services.units.run({ scope: work, isReadOnly: true, lock: 'none' }, (unit) =>
      run(overlay === undefined ? unit : overlaidUnit(unit, overlay)),
    );
  },
});
