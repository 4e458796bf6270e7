import { invalidInput } from '../../../../../contracts/errors.js';
import {
  customReportSources,
  type CustomReport,
  type CustomReportSource,
} from '../../../../../contracts/insight/custom-reports/custom-report.js';
import { authorize } from '../../../../access/authorize.js';
import { readableValues } from '../../../../access/grants.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { KeyUsageReportRepository, resolveFilter } from '../../reports/index.js';
import { placeKeys, type ReportPlan } from '../sources/source.js';
import { fieldsOf, filteredValues } from './field-keys.js';
import { checkMetrics } from './metric-fields.js';
import { periodOfRange, type RangeInput } from './run-period.js';

type Definition = Pick<CustomReport, 'source' | 'metrics' | 'groupBy' | 'filters' | 'range'>;

/** What a source needs besides `reports.read`. */
const extraVerbs = { audit: 'auditLogs.read', translations: 'translations.read' } as const;

function authorizeSource(work: UnitOfWork, source: CustomReportSource): void {
  // Records are of everything: who reads only a part of them may not count the others.
  if (source === 'audit') authorize(work, extraVerbs.audit, {});
  if (source === 'translations') authorize(work, extraVerbs.translations);
}

function assertKeys({ source, groupBy, filters }: Definition): void {
  const keys: readonly string[] = customReportSources[source];
  const isKnown = (key: string): boolean =>
    keys.includes(key) || (source === 'entries' && key.startsWith('fields.'));
  const refuse = (path: readonly (string | number)[], key: string): never => {
    const known = [...keys, ...(source === 'entries' ? ['fields.{apiName}'] : [])].join(', ');
    throw invalidInput({ path, code: 'unknown_key', message: `${source} has no key ${key}. Use ${known}.` });
  };
  groupBy.forEach((key, index) => {
    if (!isKnown(key)) refuse(['groupBy', index], key);
    if (groupBy.indexOf(key) !== index)
      throw invalidInput({ path: ['groupBy', index], code: 'duplicate', message: 'The key is repeated.' });
  });
  for (const key of Object.keys(filters)) if (!isKnown(key) || key === 'date') refuse(['filters', key], key);
}

async function visibleKeyIds(work: UnitOfWork): Promise<string[]> {
  const siteIds = readableValues(work.scope, 'reports', 'siteIds');
  return (await work.use(KeyUsageReportRepository).keys(siteIds)).map(({ id }) => id);
}

export interface OpenedPlan {
  readonly plan: ReportPlan;
  readonly catalog: Catalog;
}

/**
 * Checks a definition against its source, the content types of the environment and what the caller may read.
 * @throws AppError 422 with the path of what is wrong, 404 for an unknown site, locale or type, 403
 */
export async function planReport(
  work: UnitOfWork,
  definition: Definition,
  overrides: RangeInput = {},
): Promise<OpenedPlan> {
  const { source, groupBy, filters, metrics } = definition;
  authorizeSource(work, source);
  assertKeys(definition);
  const catalog = await work.use(CatalogRepository).current();
  const filter = resolveFilter(catalog, filters);
  const fields = fieldsOf(catalog, definition);
  checkMetrics(definition, fields);
  const period = periodOfRange(definition, overrides, work.now);
  const values = Object.entries(filters)
    .filter(([key]) => !placeKeys.includes(key))
    .map(([key, given]) => [key, filteredValues(fields.get(key), key, given)] as const);
  const keyIds = source === 'agents' ? await visibleKeyIds(work) : [];
  return {
    plan: { source, groupBy, metrics, filter, values: new Map(values), period, fields, keyIds },
    catalog,
  };
}
