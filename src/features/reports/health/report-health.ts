import type { reports } from '../../../../contracts/management/reports.contract.js';
import type { PageMeta } from '../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { ContentHealth } from '../../../../contracts/resources/report.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import type { Chart } from '../charts/chart.js';
import { rowsChart } from '../charts/series-chart.js';
import type { ReportBounds } from '../report-bounds.js';
import { withFile } from '../files/report-file.js';
import { pageMeta } from '../open-report.js';
import { resolveFilter } from '../report-scope.js';
import { ContentHealthRepository, type FoundHealth } from './content-health.repository.js';
import { healthModelOf, presentIssue } from './health-model.js';
import { HealthNoteRepository } from './health-note.repository.js';
import { pagesInLoops } from './redirect-loops.js';

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
