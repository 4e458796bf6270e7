import { AppError } from '../../contracts/errors.js';
import { LoneDraft, PinnedDocuments, type DeliveryRead } from '../features/delivery/index.js';
import type { OperationScope } from './call.js';
import { draftsOf } from './draft-read.js';
import { serviceOrigin } from './service-origin.js';

/**
 * Reads the draft of the entry that a preview token was issued for.
 * @throws AppError 403 `invalid_preview_token`, also for a token of another project or environment
 */
export async function previewRead(scope: OperationScope, token: string): Promise<DeliveryRead> {
  const { catalog, services, trace } = scope;
  if (catalog === null) throw new Error('Delivery requires a project');
  const claims = await services.previewTokens.verify(token, services.clock());
  const { project, environment } = catalog.data;
  if (claims.projectId !== project.id || claims.environmentId !== environment.id)
    throw new AppError('invalid_preview_token');
  trace.markPreview();
  const { entryId, locale, version, isAlone } = claims;
  const drafts = draftsOf(scope, catalog);
  const whole = version === undefined ? drafts : new PinnedDocuments(drafts, { entryId, version });
  const published = services.publishedDocuments(environment.id);
  const source = isAlone === true ? new LoneDraft({ entryId, drafts: whole, published }) : whole;
  return {
    catalog,
    source,
    trace,
    routes: services.routes(environment.id),
    sitemap: services.sitemaps(environment.id),
    serviceOrigin: () => serviceOrigin(scope),
    maxReferenceDepth: services.maxReferenceDepth,
    preview: { entryId, locale },
  };
}
