import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { publicPath, splitPublicPath } from '../../../content/route-path.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { findLoopingPaths } from '../../redirects/index.js';
import type { ReportFilter } from '../report-scope.js';
import { ContentHealthRepository, type EntryPlace, type OfflinePage } from './content-health.repository.js';

/** Pages whose redirects are followed for one report. */
const PAGES_MAXIMUM = 10_000;

async function loopsOf(
  work: UnitOfWork,
  site: SiteDefinition,
  { locale, pages }: { locale: string; pages: readonly OfflinePage[] },
): Promise<OfflinePage[]> {
  const health = work.use(ContentHealthRepository);
  const publicForm = ({ path }: { path: string }): string => publicPath(site, locale, path);
  const named = site.localePathStrategy === 'prefix' ? undefined : locale;
  const looping = await findLoopingPaths(work, {
    siteId: site.id,
    locale,
    paths: pages.map(publicForm),
    pagesAt: async (paths) => {
      if (paths.length === 0) return new Set();
      const live = await health.livePaths(
        site.id,
        paths.map((path) => splitPublicPath(site, path, named)),
      );
      return new Set(live.map((place) => publicPath(site, place.locale, place.path)));
    },
  });
  return pages.filter((page) => looping.has(publicForm(page)));
}

/** Pages that are not live, at whose path delivery follows redirects that form a loop. */
export async function pagesInLoops(
  work: UnitOfWork,
  catalog: Catalog,
  filter: ReportFilter,
): Promise<EntryPlace[]> {
  const pages = await work.use(ContentHealthRepository).offlinePages(filter, PAGES_MAXIMUM);
  const looping: OfflinePage[] = [];
  for (const [siteId, ofSite] of Map.groupBy(pages, (page) => page.siteId)) {
    const site = catalog.site(siteId);
    if (site === undefined) continue;
    for (const [locale, inLocale] of Map.groupBy(ofSite, (page) => page.locale))
      looping.push(...(await loopsOf(work, site, { locale, pages: inLocale })));
  }
  return looping;
}
