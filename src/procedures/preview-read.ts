import { AppError } from '../../contracts/errors.js';
import type { Catalog } from '../content/catalog.js';
import {
  LoneDraft,
  PinnedDocuments,
  type DeliveryRead,
  type DocumentSource,
  type PreviewScope,
} from '../features/delivery/index.js';
import { EntryTreeRepository } from '../features/tree/index.js';
import type { OperationScope } from './call.js';
import { mediaOf } from './media-read.js';
import { draftsOf } from './draft-read.js';
import { serviceOrigin } from './service-origin.js';

interface OpenPreview {
  readonly preview: PreviewScope;
  /** Other entries show drafts, too, unless the link's creator may not read every entry. */
  readonly source: DocumentSource;
  readonly drafts: DocumentSource;
}

/**
 * Opens what a preview token permits.
 * @throws AppError 403 `invalid_preview_token`, also for a token of another project or environment
 */
async function openPreview(scope: OperationScope, catalog: Catalog, token: string): Promise<OpenPreview> {
  const { services, trace, work } = scope;
  const claims = await services.previewTokens.verify(token, services.clock());
  const { project, environment } = catalog.data;
  if (claims.projectId !== project.id || claims.environmentId !== environment.id)
    throw new AppError('invalid_preview_token');
  trace.markPreview();
  const { entryId, locale, version, isAlone } = claims;
  const current = draftsOf(scope, catalog);
  const drafts = version === undefined ? current : new PinnedDocuments(current, { entryId, version });
  const published = services.publishedDocuments(environment.id);
  const source = isAlone === true ? new LoneDraft({ entryId, drafts, published }) : drafts;
  const request = { scope: work, isReadOnly: true, lock: 'none' } as const;
  const draftPath = () =>
    services.units.run(request, (unit) => unit.use(EntryTreeRepository).draftPath(entryId, locale));
  return { preview: { entryId, locale, draftPath }, source, drafts };
}

/**
 * Reads the draft of the entry that a preview token was issued for.
 * @throws AppError 403 `invalid_preview_token`
 */
export async function previewRead(scope: OperationScope, token: string): Promise<DeliveryRead> {
  const { catalog, services, trace } = scope;
  if (catalog === null) throw new Error('Delivery requires a project');
  const { preview, source } = await openPreview(scope, catalog, token);
  const { id } = catalog.data.environment;
  return {
    catalog,
    source,
    trace,
    routes: services.routes(id),
    sitemap: services.sitemaps(id),
    tree: services.trees(id),
    serviceOrigin: () => serviceOrigin(scope),
    media: mediaOf(scope),
    maxReferenceDepth: services.maxReferenceDepth,
    preview,
  };
}

/**
 * Adds the draft of a preview token to the published content that a GraphQL request reads (decisions 3.10).
 * @throws AppError 403 `invalid_preview_token`
 */
export async function previewInto(scope: OperationScope, catalog: Catalog, token: string): Promise<void> {
  const { preview, drafts } = await openPreview(scope, catalog, token);
  scope.mode.preview = { ...preview, drafts };
}
