import type { Actor } from '../../../../contracts/resources/actor.js';
import type { CustomReport } from '../../../../contracts/resources/custom-report.js';
import type { CustomReportRow } from './custom-report.repository.js';

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
