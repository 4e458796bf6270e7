import { AppError } from '../../../../../contracts/errors.js';
import { authorize } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { type CustomReportRow, CustomReportRepository } from './custom-report.repository.js';
import { commaList, definedKeys, hasChanges } from '../../../shared/lists.js';
import { withKnownTypes } from '../../../shared/known-types.js';
import type { Actor } from '../../../../../contracts/actor.js';
import type { CustomReport } from '../../../../../contracts/insight/custom-reports/custom-report.js';
import { limits } from '../../../../../contracts/limits.js';
import type { customReports } from '../../../../../contracts/insight/custom-reports/custom-reports.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { planReport } from '../plan/plan-report.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';

/**
 * A definition belongs to no site or type: only permissions without such limits reach it.
 * @throws AppError 403 `permission_denied`, `not_report_owner`
 */
function authorizeOwner(
  work: UnitOfWork,
  verb: 'reports.update' | 'reports.delete',
  { ownerId }: CustomReportRow,
): void {
  authorize(work, verb, {});
  if (ownerId !== work.scope.actor.id) throw new AppError('not_report_owner');
}

/** Filters whose values are lists. */
const filterLists = (filters: Readonly<Record<string, string | string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, commaList(values)]));

export function presentCustomReport(row: CustomReportRow): CustomReport {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    source: row.source as CustomReport['source'],
    metrics: row.metrics as CustomReport['metrics'],
    groupBy: row.groupBy,
    filters: row.filters as CustomReport['filters'],
    range: row.range as CustomReport['range'],
    chart: row.chart as CustomReport['chart'],
    visibility: row.visibility as CustomReport['visibility'],
    createdBy: row.createdBy as Actor,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @throws AppError 422 for keys that the source does not have, 404 for what a filter names and does not exist */
export async function createCustomReport(
  work: UnitOfWork,
  input: InputOf<typeof customReports.create>,
): Promise<{ data: CustomReport }> {
  authorize(work, 'reports.create', {});
  const repository = work.use(CustomReportRepository);
  if ((await repository.count()) >= limits.customReportsPerProject)
    throw new AppError('limit_reached', { limit: limits.customReportsPerProject });
  const { tenantId, projectId, actor } = work.scope;
  const row: CustomReportRow = {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    id: work.newId(),
    name: input.name,
    description: input.description ?? null,
    source: input.source,
    metrics: input.metrics,
    groupBy: input.groupBy ?? [],
    filters: filterLists(input.filters ?? {}),
    range: input.range ?? null,
    chart: input.chart ?? 'table',
    visibility: input.visibility ?? 'private',
    ownerId: repository.ownerId,
    createdBy: actor,
    createdAt: work.now,
    updatedAt: work.now,
  };
  await planReport(work, presentCustomReport(row));
  await repository.insert(row);
  return { data: presentCustomReport(row) };
}

export async function deleteCustomReport(
  work: UnitOfWork,
  { id }: InputOf<typeof customReports.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(CustomReportRepository);
  const report = await repository.lock(id);
  authorizeOwner(work, 'reports.delete', report);
  await repository.remove(report);
  return { data: { id: report.id, deleted: true } };
}

export async function getCustomReport(
  work: UnitOfWork,
  { id }: InputOf<typeof customReports.get>,
): Promise<{ data: CustomReport }> {
  return { data: presentCustomReport(await work.use(CustomReportRepository).find(id)) };
}

export async function listCustomReports(
  work: UnitOfWork,
  query: InputOf<typeof customReports.list>,
): Promise<{ data: CustomReport[]; meta: PageMeta }> {
  const { items, total } = await work.use(CustomReportRepository).list(query);
  return listEnvelope({ items: items.map(presentCustomReport), total }, query);
}

/** @throws AppError as for a creation; 403 `not_report_owner` */
export async function updateCustomReport(
  work: UnitOfWork,
  { projectSlug: _project, id, ...input }: InputOf<typeof customReports.update>,
): Promise<{ data: CustomReport }> {
  const { filters, ...others } = definedKeys(input);
  const changes = { ...others, ...(filters && { filters: filterLists(filters) }) };
  const repository = work.use(CustomReportRepository);
  const before = await repository.lock(id);
  authorizeOwner(work, 'reports.update', before);
  if (!hasChanges(before, changes)) return { data: presentCustomReport(before) };
  const after = { ...before, ...changes, updatedAt: work.now };
  const changed = presentCustomReport(after);
  const known = withKnownTypes(await work.use(CatalogRepository).current(), changed.filters);
  await planReport(work, filters === undefined ? { ...changed, filters: known } : changed);
  await repository.save(before, after);
  return { data: presentCustomReport(after) };
}
