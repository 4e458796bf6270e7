import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { SitemapUrl } from '../../../../contracts/publishing/delivery/route.js';
import type { PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { encodePath, publicPath } from '../../../content/route-path.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { originOf } from './text-links.js';
import { localesOf } from './locale-chains.js';
import type { ListedFallbacks, ListedRoute } from './route-source.js';

/** Routes of one statement. */
const CHUNK = 1000;
const MAX_AGE_SECONDS = 300;

export interface OpenSitemap {
  readonly meta: PageMeta;
  /** The URLs of the page, in batches of one statement. */
  readonly chunks: AsyncIterable<SitemapUrl[]>;
}

/** The part of the page in one locale. */
interface Stretch {
  readonly locale: string;
  readonly skip: number;
  readonly count: number;
  /** All routes of the locale. */
  readonly total: number;
}

/** @throws AppError 404 `locale_not_found` */
function wantedLocales(catalog: Catalog, site: SiteDefinition, locale: string | undefined): string[] {
  const served = site.locales.filter((code) => catalog.locale(code)?.isActive === true);
  if (locale === undefined) return served;
  if (!served.includes(locale)) throw new AppError('locale_not_found');
  return [locale];
}

/** The slice of each locale on the page; locales follow each other. */
function stretchesOf(counts: readonly (readonly [string, number])[], page: number): Stretch[] {
  let before = (page - 1) * limits.sitemapUrls;
  let room: number = limits.sitemapUrls;
  return counts.flatMap(([locale, total]) => {
    const skip = Math.min(before, total);
    const count = Math.min(room, total - skip);
    before -= skip;
    room -= count;
    return count > 0 ? [{ locale, skip, count, total }] : [];
  });
}

/** A site, the URL that its paths are appended to, and the fallbacks that it lists. */
interface SitePlace {
  readonly site: SiteDefinition;
  readonly origin: string;
  readonly fallbacks: ListedFallbacks;
}

function urlOf(catalog: Catalog, { site, origin }: Pick<SitePlace, 'site' | 'origin'>, locale: string) {
  const href = (code: string, path: string) => origin + encodePath(publicPath(site, code, path));
  return (route: ListedRoute): SitemapUrl => {
    const live = wantedLocales(catalog, site, undefined).filter((code) => code in route.paths);
    const links = live.map((code) => ({ hreflang: code, href: href(code, route.paths[code] ?? '') }));
    const main = links.find(({ hreflang }) => hreflang === site.defaultLocale);
    return {
      loc: href(locale, route.path),
      path: publicPath(site, locale, route.path),
      locale,
      entryId: route.entryId,
      contentTypeApiName: catalog.contentTypeById(route.contentTypeId)?.apiName ?? '',
      siteId: site.id,
      lastModified: route.publishedAt.toISOString(),
      alternates: main === undefined ? links : [...links, { hreflang: 'x-default', href: main.href }],
    };
  };
}

async function* chunksOf(
  { catalog, sitemap }: DeliveryRead,
  place: SitePlace,
  stretches: readonly Stretch[],
): AsyncGenerator<SitemapUrl[]> {
  for (const { locale, skip, count, total } of stretches) {
    const toUrl = urlOf(catalog, place, locale);
    const at = { siteId: place.site.id, locale, fallbacks: place.fallbacks };
    let after = skip === 0 ? '' : await sitemap.pathBefore({ ...at, skip, total });
    for (let left = count; left > 0 && after !== undefined;) {
      const limit = Math.min(CHUNK, left);
      const routes: ListedRoute[] = await sitemap.listed({ ...at, after, limit });
      if (routes.length > 0) yield routes.map(toUrl);
      // Fewer than counted: pages were unpublished since then.
      if (routes.length < limit) break;
      after = routes.at(-1)?.path;
      left -= routes.length;
    }
  }
}

/**
 * A page of a site's sitemap (rule delivery/sitemap), read while it is sent.
 * @throws AppError 404 `site_not_found`, `locale_not_found`
 */
export async function openSitemap(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getSitemap>,
): Promise<OpenSitemap> {
  const { catalog, trace } = read;
  const site = siteOf(read, input.siteSlug);
  trace.keepFor(MAX_AGE_SECONDS);
  const locales = wantedLocales(catalog, site, input.locale);
  const fallbacks = input.fallbacks
    ? Object.fromEntries(locales.map((locale) => [locale, localesOf(catalog, site, locale)]))
    : undefined;
  const known = await read.sitemap.countListed(site.id, fallbacks);
  const counts = locales.map((locale) => [locale, known.get(locale) ?? 0] as const);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const { page } = input;
  const limit = limits.sitemapUrls;
  return {
    meta: { total, page, limit, pages: Math.ceil(total / limit) },
    chunks: chunksOf(read, { site, origin: originOf(read, site), fallbacks }, stretchesOf(counts, page)),
  };
}

/** A complete page of a site's sitemap. */
export async function getSitemap(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getSitemap>,
): Promise<{ data: SitemapUrl[]; meta: PageMeta }> {
  const { meta, chunks } = await openSitemap(read, input);
  const data: SitemapUrl[] = [];
  for await (const urls of chunks) data.push(...urls);
  return { data, meta };
}
