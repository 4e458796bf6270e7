import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { normalizeRoutePath, publicPath, splitPublicPath } from '../../../content/route-path.js';
import { splitTarget } from '../../routing/redirects/index.js';
import { localesOf } from './locale-chains.js';
import type { DocumentSource, StoredDocument } from './document.js';
import type { FoundEntry, RouteSource } from './route-source.js';

export interface RouteRead {
  readonly catalog: Catalog;
  readonly source: DocumentSource;
  readonly routes: RouteSource;
}

/** A path of a site as in a URL, and its locale if the request names one. */
export interface RouteQuestion {
  readonly site: SiteDefinition;
  readonly path: string;
  readonly locale: string | undefined;
}

/** A page with its locale chain, or a redirect; undefined if nothing matches. */
export type FoundRoute =
  | { readonly document: StoredDocument; readonly locales: readonly string[] }
  | { readonly target: string; readonly status: number }
  | undefined;

/**
 * Resolves a path: the page first, then redirects (rule delivery/routes).
 * @throws AppError 404 `locale_not_found`, 410 `route_gone`
 */
export async function findRoute(read: RouteRead, { site, path, locale }: RouteQuestion): Promise<FoundRoute> {
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
    const question = {
      siteId: site.id,
      locale: at.locale,
      path: candidate,
      query: splitTarget(path).query,
      allowedTargets: site.allowedTargets,
      isPage,
    };
    const redirect = await routes.redirectAt(question);
    if (redirect?.target === null) throw new AppError('route_gone');
    if (redirect !== undefined) {
      const { path: target, query, fragment } = splitTarget(redirect.target);
      return { ...redirect, target: (lastTargets.get(target) ?? target) + query + fragment };
    }
  }
  return page;
}
