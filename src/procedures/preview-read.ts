import {
  readMedia,
  type ReadMedia,
  DraftDocuments,
  DraftRepository,
  LoneDraft,
  PinnedDocuments,
  type DeliveryRead,
  type DocumentSource,
  type PreviewScope,
} from '../features/publishing/delivery/index.js';
import type { OperationScope } from './call.js';
import type { Catalog } from '../content/catalog.js';
import { AppError } from '../../contracts/errors.js';
import type { PreviewClaims } from '../access/signed-token.js';
import { boundEnvironment } from '../access/principal.js';
import { EntryTreeRepository } from '../features/routing/tree/index.js';
import { projectScope } from './scopes.js';

/** Assets of the environment; reads are traced. */
export function mediaOf({ catalog, services, trace, mode }: OperationScope): ReadMedia {
  if (catalog === null) throw new Error('Delivery requires a project');
  const { environment, project } = catalog.data;
  return readMedia((mode.future ?? services).publishedMedia(environment.id), {
    trace,
    urls: services.media.urls,
    projectSlug: project.slug,
  });
}

/** Drafts of the environment; each read has its own unit of work. */
export function draftsOf({ services, work }: OperationScope, catalog: Catalog): DraftDocuments {
  const request = { scope: work, isReadOnly: true, lock: 'none' } as const;
  return new DraftDocuments(
    (read) => services.units.run(request, (unit) => read(unit.use(DraftRepository))),
    catalog,
  );
}

/** `PUBLIC_BASE_URL`, or what the request names: callers choose the `Host` header, so others must not receive it. */
export function serviceOrigin({ services, call, trace }: OperationScope): string {
  if (services.publicBaseUrl !== undefined) return services.publicBaseUrl;
  trace.markUnstored();
  return call.origin?.() ?? services.baseUrl;
}

interface OpenPreview {
  /** In the environment of the token. */
  readonly scope: OperationScope;
  readonly catalog: Catalog;
  readonly preview: PreviewScope;
  /** Other entries show drafts, too, unless the link's creator may not read every entry. */
  readonly source: DocumentSource;
  readonly drafts: DocumentSource;
}

/** Undefined if it is gone, or if the call names another one or its key is bound to another one. */
function environmentOf(
  { call, principal, services }: OperationScope,
  { data }: Catalog,
  environmentId: string,
): Promise<Catalog | undefined> | undefined {
  const isOpen = call.environment === undefined && boundEnvironment(principal) === null;
  return isOpen ? services.catalogs.find(data.project.slug, environmentId) : undefined;
}

/**
 * The call in the environment of the token.
 * @throws AppError 403 `invalid_preview_token`, also for a token of another project
 */
async function scopeOf(
  scope: OperationScope,
  { projectId, environmentId }: PreviewClaims,
): Promise<{ scope: OperationScope; catalog: Catalog }> {
  const { catalog } = scope;
  if (catalog === null) throw new Error('Delivery requires a project');
  if (projectId !== catalog.data.project.id) throw new AppError('invalid_preview_token');
  if (environmentId === catalog.data.environment.id) return { scope, catalog };
  const own = await environmentOf(scope, catalog, environmentId);
  if (own === undefined) throw new AppError('invalid_preview_token');
  const { call, principal, principalId, mode, trace, services } = scope;
  const work = projectScope(call, principal, own);
  return {
    scope: { call, principal, principalId, mode, trace, services, work, catalog: own },
    catalog: own,
  };
}

/**
 * Opens what a preview token permits.
 * @throws AppError 403 `invalid_preview_token`
 */
async function openPreview(admitted: OperationScope, token: string): Promise<OpenPreview> {
  const { services, trace } = admitted;
  const claims = await services.previewTokens.verify(token, services.clock());
  const { scope, catalog } = await scopeOf(admitted, claims);
  await services.keyActivity.assertActive(claims.keyId, catalog.data, 'invalid_preview_token');
  const { environment } = catalog.data;
  trace.markPreview();
  const { entryId, locale, version, isAlone } = claims;
  const current = draftsOf(scope, catalog);
  const drafts = version === undefined ? current : new PinnedDocuments(current, { entryId, version });
  const published = services.publishedDocuments(environment.id);
  const source = isAlone === true ? new LoneDraft({ entryId, drafts, published }) : drafts;
  const request = { scope: scope.work, isReadOnly: true, lock: 'none' } as const;
  const draftPath = () =>
    services.units.run(request, (unit) => unit.use(EntryTreeRepository).draftPath(entryId, locale));
  return { scope, catalog, preview: { entryId, locale, draftPath }, source, drafts };
}

/**
 * Reads the draft of the entry that a preview token was issued for.
 * @throws AppError 403 `invalid_preview_token`
 */
export async function previewRead(admitted: OperationScope, token: string): Promise<DeliveryRead> {
  const { scope, catalog, preview, source } = await openPreview(admitted, token);
  const { services, trace } = scope;
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
 * Adds the draft of a preview token to the published content that a GraphQL request reads (rule graphql/preview-tokens), in the
 * environment of the token.
 * @throws AppError 403 `invalid_preview_token`
 */
export async function previewInto(
  admitted: OperationScope,
  token: string,
): Promise<{ scope: OperationScope; catalog: Catalog }> {
  const { scope, catalog, preview, drafts } = await openPreview(admitted, token);
  scope.mode.preview = { ...preview, drafts };
  return { scope, catalog };
}
