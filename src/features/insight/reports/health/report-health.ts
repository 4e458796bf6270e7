import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import { publicPath, splitPublicPath } from '../../../../content/route-path.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { findLoopingPaths } from '../../../routing/redirects/index.js';
import { type ReportFilter, resolveFilter } from '../report-scope.js';
import {
  ContentHealthRepository,
  type EntryPlace,
  type OfflinePage,
  type FoundHealth,
} from './content-health.repository.js';
import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { ContentHealth } from '../../../../../contracts/insight/reports/report.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { type Chart, rowsChart } from '../charts/chart.js';
import { type ReportBounds, pageMeta } from '../open-report.js';
import { withFile } from '../files/report-file.js';
import { healthModelOf, presentIssue } from './health-model.js';
import { HealthNoteRepository } from './health-note.repository.js';

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
async function pagesInLoops(work: UnitOfWork, catalog: Catalog, filter: ReportFilter): Promise<EntryPlace[]> {
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

/** Rounded down, so that only without issues it is 100. */
const scoreOf = ({ entries, penalized }: FoundHealth): number =>
  entries === 0 ? 100 : Math.floor(((entries - penalized) / entries) * 100);

/** @throws AppError 404 for an unknown filter */
export async function reportHealth(
  work: UnitOfWork,
  input: InputOf<typeof reports.contentHealth>,
  { healthEntries }: ReportBounds,
): Promise<{ data: ContentHealth; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const filter = resolveFilter(catalog, input);
  const waiting = await work.use(HealthNoteRepository).waiting(healthEntries);
  const { page, limit } = input;
  const found = await work.use(ContentHealthRepository).find({
    filter,
    model: healthModelOf(catalog),
    changed: waiting.entryIds,
    loops: await pagesInLoops(work, catalog, filter),
    limit,
    offset: (page - 1) * limit,
  });
  const rows = found.rows.map(({ issues, ...entry }) => ({ ...entry, issues: issues.map(presentIssue) }));
  const { entries, byType } = found;
  const issues = Object.values(byType).reduce((sum, count) => sum + count, 0);
  const pending = Math.max(0, waiting.total - healthEntries);
  const summary = { entries, issues, score: scoreOf(found), pending, byType };
  const codes = Object.entries(byType).map(([code, number]) => ({ code, issues: number }));
  const chart = (): Chart =>
    rowsChart(
      'Issues of entries',
      codes.sort((a, b) => b.issues - a.issues),
      { label: ({ code }) => code.replaceAll('_', ' '), keys: ['issues'] },
    );
  return {
    data: await withFile({ summary, rows }, input, { name: 'content-health', shape: ContentHealth, chart }),
    meta: pageMeta(found.affected, input),
  };
}
