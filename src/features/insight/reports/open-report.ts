import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { periodOf, type Period, type PeriodInput } from './period/report-period.js';
import { resolveFilter, type ReportFilter, type ScopeInput } from './report-scope.js';

interface OpenReport {
  readonly catalog: Catalog;
  readonly period: Period;
  readonly filter: ReportFilter;
}

/** What all reports of a period need. */
export async function openReport(work: UnitOfWork, input: PeriodInput & ScopeInput): Promise<OpenReport> {
  const catalog = await work.use(CatalogRepository).current();
  return { catalog, period: periodOf(input, work.now), filter: resolveFilter(catalog, input) };
}

/** One row of counts for each bucket, without gaps. */
export function seriesOf<C extends object>(
  { buckets }: Period,
  countsAt: (bucket: number) => C,
): ({ date: string } & C)[] {
  return buckets.map(({ date }, position) => ({ date, ...countsAt(position) }));
}

interface Paging {
  readonly page: number;
  readonly limit: number;
}

export const pageOf = <T>(items: readonly T[], { page, limit }: Paging): T[] =>
  items.slice((page - 1) * limit, page * limit);

export const pageMeta = (
  total: number,
  { page, limit }: Paging,
): Paging & { total: number; pages: number } => ({
  total,
  page,
  limit,
  pages: Math.ceil(total / limit),
});

/** What reports may cost. */
export interface ReportBounds {
  /** Changed entries whose issues are found when the report of content health is read. */
  readonly healthEntries: number;
  /** Milliseconds that the statement of a custom report may take; undefined: as long as any statement. */
  readonly customMs?: number | undefined;
}

export const defaultReportBounds: ReportBounds = { healthEntries: 1000 };
