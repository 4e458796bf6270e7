import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import { RoutePath, type RouteResult } from '../../../../contracts/publishing/delivery/route.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { normalizeRoutePath, publicPath, splitPublicPath } from '../../../content/route-path.js';
import { splitTarget } from '../../routing/redirects/index.js';
import { localesOf } from './locale-chains.js';
import type { DocumentSource, StoredDocument } from './document.js';
import type { FoundEntry, RouteSource } from './route-source.js';
import { assertPreviewed, requestedLocale, siteOf, type DeliveryRead } from './delivery-read.js';
import { presentContent } from './present-content.js';
import { presentEntries } from './write-entries.js';

interface RouteRead {
  readonly catalog: Catalog;
  readonly source: DocumentSource;
  readonly routes: RouteSource;
}

/** A path of a site as in a URL, and its locale if the request names one. */
interface RouteQuestion {
  readonly site: SiteDefinition;
  readonly path: string;
  readonly locale: string | undefined;
}

/** A page with its locale chain, or a redirect; undefined if nothing matches. */
type FoundRoute =
  | { readonly document: StoredDocument; readonly locales: readonly string[] }
  | { readonly target: string; readonly status: number }
  | undefined;

/** Looks at a path where there was a page after all. */
const MOST_LOOKS = 3;

/**
 * Resolves a path: the page first, then redirects (rule delivery/routes). The two are separate reads: a page that comes back
 * to its former path between them has no redirect from it any more, so that nothing found is looked at again.
 * @throws AppError 404 `locale_not_found`, 410 `route_gone`
 */
async function findRoute(read: RouteRead, question: RouteQuestion, looks = 1): Promise<FoundRoute> {
  const { site, path, locale } = question;
  const { catalog, source, routes } = read;
  const normal = normalizeRoutePath(path);
  const at = splitPublicPath(site, normal ?? '/', locale);
  const locales = localesOf(catalog, site, at.locale);
  if (normal === undefined) return undefined;
  const entryAt = (chain: readonly string[], stored: string) =>
    routes.entryAt({ siteId: site.id, locales: chain, path: stored, isPreview: source.isPreview });
  const found = await entryAt(locales, at.path);
  const publicForm = (stored: string) => publicPath(site, at.locale, stored);
  const movedTo = (entry: FoundEntry | undefined): string | null =>
    entry === undefined || entry.isShadowed ? null : entry.canonicalPath;
  const moved = movedTo(found);
  if (moved !== null) return { target: publicForm(moved), status: 301 };
  const [document] = found === undefined ? [] : await source.byIds([found.entryId], locales);
  const page = document?.siteId === site.id ? { document, locales } : undefined;
  // Without its prefix the path may be an old one of the page: from before the site had prefixes.
  if (page !== undefined && publicForm(at.path) === normal) return page;
  const named = site.localePathStrategy === 'prefix' ? undefined : at.locale;
  const lastTargets = new Map<string, string>();
  const isPage = async (other: string): Promise<boolean> => {
    const target = splitPublicPath(site, other, named);
    const entry = await entryAt(localesOf(catalog, site, target.locale), target.path);
    const canonical = movedTo(entry);
    if (canonical !== null) lastTargets.set(other, publicPath(site, target.locale, canonical));
    return entry !== undefined;
  };
  if (page !== undefined && (await isPage(normal))) return page;
  for (const candidate of new Set([normal, ...(page === undefined ? [publicForm(at.path)] : [])])) {
    const asked = {
      siteId: site.id,
      locale: at.locale,
      path: candidate,
      query: splitTarget(path).query,
      allowedTargets: site.allowedTargets,
      isPage,
    };
    const redirect = await routes.redirectAt(asked);
    if (redirect?.target === null) throw new AppError('route_gone');
    if (redirect !== undefined) {
      const { path: target, query, fragment } = splitTarget(redirect.target);
      return { ...redirect, target: (lastTargets.get(target) ?? target) + query + fragment };
    }
  }
  if (page !== undefined || looks === MOST_LOOKS) return page;
  return (await entryAt(locales, at.path)) === undefined ? undefined : findRoute(read, question, looks + 1);
}

/**
 * The entry of a preview token, at the path that it will have: another page or a redirect may still be there.
 * Undefined for another path.
 */
async function previewedRoute(
  { catalog, source, preview }: DeliveryRead,
  site: SiteDefinition,
  path: string,
): Promise<Exclude<FoundRoute, { readonly target: string }>> {
  const normal = normalizeRoutePath(path);
  if (preview === undefined || normal === undefined) return undefined;
  const at = splitPublicPath(site, normal, preview.locale);
  if ((await preview.draftPath()) !== at.path) return undefined;
  const locales = localesOf(catalog, site, preview.locale);
  const [document] = await source.byIds([preview.entryId], locales);
  return document?.siteId === site.id ? { document, locales } : undefined;
}

/** Resolves a path of a site to a page or a redirect (rule delivery/operations). */
export async function resolveRoute(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.resolveRoute>,
): Promise<{ data: RouteResult }> {
  const locale = requestedLocale(read, input.locale);
  const site = siteOf(read, input.siteSlug);
  const found =
    (await previewedRoute(read, site, input.path)) ??
    (await findRoute(read, { site, path: input.path, locale }));
  if (found === undefined) throw new AppError('route_not_found');
  if (!('document' in found))
    return { data: { kind: 'redirect', target: found.target, status: found.status } };
  const { document, locales } = found;
  assertPreviewed(read, document.id);
  const [entry] = await presentEntries(read, { request: input, locales }, [document]);
  if (entry === undefined) throw new AppError('route_not_found');
  return { data: { kind: 'entry', entry } };
}

interface RouteReply {
  readonly data: {
    readonly kind: 'entry' | 'redirect';
    readonly entry: EntryContent | null;
    readonly target: string | null;
    readonly status: number | null;
  } | null;
  readonly meta: ReadOrigin;
}

const invalidPath = () =>
  invalidInput({ path: ['path'], code: 'invalid_format', message: 'A path must start with "/".' });

/**
 * Resolves a path in a locale; null where nothing matches or the entry's content type was deleted.
 * @throws AppError 404 `site_not_found`, `locale_not_found`; 422 `validation_failed` for an ill-formed path
 */
export async function readRoute(
  read: DeliveryRead,
  { siteSlug, locale, path }: InputOf<typeof graphqlReads.resolveRoute>,
): Promise<RouteReply> {
  const { catalog, source } = read;
  const { isPreview } = source;
  const site = siteOf(read, siteSlug);
  localesOf(catalog, site, locale);
  if (!RoutePath.safeParse(path).success) throw invalidPath();
  const isPreviewed = read.preview?.locale === locale;
  const found =
    (isPreviewed ? await previewedRoute(read, site, path) : undefined) ??
    (await findRoute(read, { site, path, locale }));
  if (found === undefined) return { data: null, meta: { isPreview, locales: [] } };
  if (!('document' in found)) {
    const { target, status } = found;
    return { data: { kind: 'redirect', entry: null, target, status }, meta: { isPreview, locales: [] } };
  }
  const entry = presentContent(found.document, catalog);
  return {
    data: entry && { kind: 'entry', entry, target: null, status: null },
    meta: { isPreview, locales: found.locales },
  };
}
