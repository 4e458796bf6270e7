import {
  customReportSources,
  type CustomReport,
  type CustomReportMetric,
  type CustomReportSource,
} from '../../../../../contracts/insight/custom-reports/custom-report.js';
import { invalidInput, AppError } from '../../../../../contracts/errors.js';
import type { FieldDefinition, Catalog } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { authorize } from '../../../../access/authorize.js';
import { readableValues } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { comparedValue, comparedWhat } from '../../../publishing/delivery/index.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import {
  periodOf,
  KeyUsageReportRepository,
  resolveFilter,
  type Period,
  type PeriodInput,
} from '../../reports/index.js';
import { placeKeys, type ReportPlan } from '../sources/source.js';

const DAY = 86_400_000;

/** Replaces parts of the range of a definition. */
type RangeInput = { readonly [Key in keyof PeriodInput]?: PeriodInput[Key] | undefined };

/** Sources whose rows have no end: without a range, all are counted. */
const present: ReadonlySet<string> = new Set(['entries', 'translations']);

/**
 * Null if everything is counted as it is now.
 * @throws AppError 422 as {@link periodOf}
 */
function periodOfRange(
  { source, groupBy, range }: Pick<CustomReport, 'source' | 'groupBy' | 'range'>,
  { from, to, granularity, timezone }: RangeInput,
  now: Date,
): Period | null {
  const isLimited = range !== null || from !== undefined || to !== undefined;
  if (!isLimited && present.has(source) && !groupBy.includes('date')) return null;
  const end = to ?? range?.to ?? now.toISOString();
  const start =
    from ??
    range?.from ??
    (range?.days === undefined ? undefined : new Date(Date.parse(end) - range.days * DAY).toISOString());
  return periodOf(
    {
      from: start,
      to: end,
      granularity: granularity ?? range?.granularity ?? 'day',
      timezone: timezone ?? range?.timezone ?? 'UTC',
    },
    now,
  );
}

/** Fields of a source that a metric can have. Those of entries also sum, average and compare their numbers. */
const times: Readonly<Record<CustomReportSource, readonly string[]>> = {
  entries: ['createdAt', 'updatedAt', 'publishedAt'],
  audit: ['at'],
  publishing: ['at'],
  agents: ['at'],
  translations: ['updatedAt'],
};
const sums = ['calls', 'reads', 'writes', 'errors', 'rateLimited'];

/** Such as `count` and `sum(fields.price)`. */
export const metricName = ({ op, field }: CustomReportMetric): string =>
  op === 'count' ? op : `${op}(${field ?? ''})`;

export const isTime = ({ field = '' }: CustomReportMetric): boolean =>
  Object.values(times).some((names) => names.includes(field));

function accepts(
  source: CustomReportSource,
  { op, field }: CustomReportMetric,
  fields: ReadonlyMap<string, FieldDefinition>,
): boolean {
  if (op === 'count' || field === undefined) return op === 'count' && field === undefined;
  if (op === 'max' && times[source].includes(field)) return true;
  if (source === 'agents') return op === 'sum' && sums.includes(field);
  const definition = fields.get(field);
  return definition !== undefined && kindOf(definition).comparison === 'number';
}

/** @throws AppError 422 for a metric that the source does not have, or a repeated one */
function checkMetrics(
  { source, metrics }: Pick<CustomReport, 'source' | 'metrics'>,
  fields: ReadonlyMap<string, FieldDefinition>,
): void {
  const names = metrics.map(metricName);
  metrics.forEach((metric, index) => {
    const path = ['metrics', index, 'field'];
    if (!accepts(source, metric, fields))
      throw invalidInput({
        path,
        code: 'invalid_metric',
        message: `${source} cannot calculate ${metricName(metric)}${metric.op === 'count' ? ' of a field' : ''}.`,
      });
    if (names.indexOf(metricName(metric)) !== index)
      throw invalidInput({ path: ['metrics', index], code: 'duplicate', message: 'The metric is repeated.' });
  });
}

const FIELD = 'fields.';

interface NamedKey {
  readonly path: readonly (string | number)[];
  readonly key: string;
}

function namedKeys({ metrics, groupBy, filters }: Definition): NamedKey[] {
  return [
    ...groupBy.map((key, index) => ({ path: ['groupBy', index], key })),
    ...Object.keys(filters).map((key) => ({ path: ['filters', key], key })),
    ...metrics.map(({ field = '' }, index) => ({ path: ['metrics', index, 'field'], key: field })),
  ].filter(({ key }) => key.startsWith(FIELD));
}

/**
 * Fields by the keys that name them.
 * @throws AppError 422 unless the report is of one type that has the fields, with single comparable values
 */
function fieldsOf(catalog: Catalog, definition: Definition): ReadonlyMap<string, FieldDefinition> {
  const named = namedKeys(definition);
  if (named.length === 0 || definition.source !== 'entries') return new Map();
  const [name = '', ...others] = definition.filters.contentTypeApiName ?? [];
  if (name === '' || others.length > 0)
    throw invalidInput({
      path: ['filters', 'contentTypeApiName'],
      code: 'content_type_required',
      message: 'Fields require exactly one contentTypeApiName.',
    });
  const type = catalog.contentType(name);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  const fields = named.map(({ path, key }) => {
    const apiName = key.slice(FIELD.length);
    const field = type.fields.find((one) => one.apiName === apiName);
    if (field === undefined)
      throw invalidInput({ path, code: 'unknown_field', message: `Unknown field ${apiName}.` });
    if (field.isList || [null, 'link'].includes(kindOf(field).comparison))
      throw invalidInput({ path, code: 'invalid_field', message: `${apiName} has no single value.` });
    return [key, field] as const;
  });
  return new Map(fields);
}

/**
 * The values that a filter keeps, as they are compared.
 * @throws AppError 422 for a value that the field cannot have
 */
function filteredValues(
  field: FieldDefinition | undefined,
  key: string,
  values: readonly string[],
): readonly string[] {
  const comparison = field === undefined ? null : kindOf(field).comparison;
  if (comparison === null) return values;
  return values.map((value, index) => {
    const compared = comparedValue[comparison](value);
    if (compared !== undefined) return compared;
    const message = `Must be a ${comparedWhat[comparison]}.`;
    throw invalidInput({ path: ['filters', key, index], code: 'invalid_filter', message });
  });
}

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

interface OpenedPlan {
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
