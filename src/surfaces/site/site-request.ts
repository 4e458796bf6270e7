import type { PathStyle } from '../../content/route-path.js';

const PREVIEW = /^(\/preview\/([\w-]+)\/([\w-]+))(\/.*)?$/;
export const PREVIEW_ROUTE = '/preview/{slug}/{siteSlug}';
const DEMO = /^\/demo(\/.*)?$/;
export const DEMO_ROUTE = '/demo';
const DEMO_SITE = 'main';

/** A site as one request names it. */
export interface SiteRequest {
  readonly route: string;
  /** What the URL of every page begins with. */
  readonly base: string;
  readonly projectSlug: string;
  readonly siteSlug: string;
  /** Path of the site, and what the URL has after it. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A page of the request's site; what is not set is not known yet. */
interface PageOfSite extends SiteRequest {
  readonly site?: PathStyle;
  readonly locale?: string;
  /** Token of a preview link. */
  readonly linkToken?: string | undefined;
  /** Of an entry that is shown whether or not it has a path. */
  readonly id?: string | undefined;
}

/**
 * Null for paths of other surfaces.
 * @param demoProject whose main site is at `/demo`
 */
export function siteRequestOf(
  path: string,
  search: string,
  demoProject: string | undefined,
): SiteRequest | null {
  const [, base, projectSlug, siteSlug, sitePath = '/'] = PREVIEW.exec(path) ?? [];
  const readQuery = (): URLSearchParams => new URLSearchParams(search);
  if (base !== undefined && projectSlug !== undefined && siteSlug !== undefined)
    return { route: PREVIEW_ROUTE, base, projectSlug, siteSlug, path: sitePath, query: readQuery() };
  const demo = demoProject === undefined ? null : DEMO.exec(path);
  if (demo === null || demoProject === undefined) return null;
  const place = { projectSlug: demoProject, siteSlug: DEMO_SITE, path: demo[1] ?? '/' };
  return { route: DEMO_ROUTE, base: DEMO_ROUTE, ...place, query: readQuery() };
}

/**
 * The URL of a path of the site, with what the request shows pages with. Undefined with a preview link, which is for
 * one entry.
 * @param request `id` of an entry that is shown whether or not it has a path
 */
export function hrefOf(request: PageOfSite, target: string): string | undefined {
  if (request.linkToken !== undefined) return undefined;
  const { base, query, site, locale, id } = request;
  const { pathname: path, searchParams: search, hash } = new URL(`http://site${target}`);
  const isNamed = id !== undefined || (site?.localePathStrategy === 'none' && locale !== site.defaultLocale);
  if (id !== undefined) search.set('entry', id);
  if (isNamed && locale !== undefined) search.set('locale', locale);
  const token = query.get('previewToken');
  if (token !== null) search.set('previewToken', token);
  return `${base}${path === '/' ? '' : path}${search.size > 0 ? `?${search.toString()}` : ''}${hash}`;
}

const DELIVERED = /^\/api\/delivery\/projects\/([\w-]+)\/sites\/([\w-]+)\/entries\/([\w-]+)$/;

/** Where a browser is led from the JSON of a preview link: to its page. Undefined for other URLs. */
export function pageOfDraft(path: string, search: string): string | undefined {
  const [, project = '', site = '', entry = ''] = DELIVERED.exec(path) ?? [];
  const query = new URLSearchParams(search);
  const [previewToken, locale] = [query.get('previewToken'), query.get('locale')];
  if (entry === '' || !previewToken) return undefined;
  const shown = new URLSearchParams({ entry, ...(locale !== null && { locale }), previewToken });
  return `/preview/${project}/${site}?${shown.toString()}`;
}
