import { z } from 'zod';
import {
  customReportInput,
  customReportSources,
  type CustomReport,
  type CustomReportMetric,
  type CustomReportSource,
} from '../../../../contracts/insight/custom-reports/custom-report.js';
import { typeOf, type Field, type Project } from '../../api/project-data.js';
import { maybeText, t } from '../../texts/index.js';
import { ownTimeZone } from '../../ui/time-zone.js';
import { DEFAULT_DAYS, type Granularity } from '../period.js';

const Definition = z.strictObject(customReportInput);
export type Definition = z.infer<typeof Definition>;
export type Metric = CustomReportMetric;

const optionsOf = <T extends string>(schema: z.ZodOptional<z.ZodEnum<Record<T, T>>>): readonly T[] =>
  schema.unwrap().options;

export const sources = Object.keys(customReportSources) as CustomReportSource[];
export const charts = optionsOf(customReportInput.chart);
export const visibilities = optionsOf(customReportInput.visibility);
export const operations = customReportInput.metrics.element.shape.op.options;

/** What is typed in the form. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly source: CustomReportSource;
  readonly metrics: readonly Metric[];
  readonly groupBy: readonly string[];
  /** The values of a key are separated by commas. */
  readonly filters: readonly { readonly key: string; readonly values: string }[];
  /** Empty: everything as it is now, unless the period is fixed. */
  readonly days: string;
  /** A period between two times, which only other clients define. */
  readonly fixed?: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined;
  readonly granularity: Granularity;
  readonly timezone: string;
  readonly chart: CustomReport['chart'];
  readonly visibility: CustomReport['visibility'];
}

export const emptyDraft: Draft = {
  name: '',
  description: '',
  source: 'entries',
  metrics: [{ op: 'count' }],
  groupBy: [],
  filters: [],
  days: '',
  granularity: 'day',
  timezone: ownTimeZone,
  chart: 'bar',
  visibility: 'private',
};

const isFixed = ({ from, to }: NonNullable<CustomReport['range']>): boolean =>
  from !== undefined || to !== undefined;

export function draftOf({ name, description, range, filters, ...rest }: CustomReport): Draft {
  const { source, metrics, groupBy, chart, visibility } = rest;
  return {
    name,
    source,
    metrics,
    groupBy,
    chart,
    visibility,
    description: description ?? '',
    filters: Object.entries(filters).map(([key, values]) => ({ key, values: values.join(', ') })),
    days: range === null || range.from !== undefined ? '' : String(range.days ?? DEFAULT_DAYS),
    ...(range !== null && isFixed(range) && { fixed: { from: range.from, to: range.to } }),
    granularity: range?.granularity ?? 'day',
    timezone: range?.timezone ?? ownTimeZone,
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

function rangeOf({ days, fixed, granularity, timezone }: Draft): unknown {
  if (days === '' && fixed === undefined) return null;
  return { ...(days === '' ? fixed : { days: Number(days) }), granularity, timezone };
}

function definitionOf(draft: Draft): unknown {
  const { name, description, source, metrics, groupBy, chart, visibility, filters } = draft;
  return {
    name,
    source,
    metrics,
    chart,
    visibility,
    description: description === '' ? null : description,
    groupBy,
    filters: Object.fromEntries(filters.map(({ key, values }) => [key, listOf(values)])),
    range: rangeOf(draft),
  };
}

export type Problems = readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];

/** Checked with the shape of the contract; the service checks keys and fields as well. */
export function checked(draft: Draft): { definition: Definition } | { problems: Problems } {
  const result = Definition.safeParse(definitionOf(draft));
  if (result.success) return { definition: result.data };
  const problems = result.error.issues.map(({ path, code, message }) => ({
    path,
    message: code === 'too_small' ? t('custom.tooSmall') : message,
  }));
  return { problems };
}

const moments: Readonly<Record<CustomReportSource, readonly string[]>> = {
  entries: ['createdAt', 'updatedAt', 'publishedAt'],
  translations: ['updatedAt'],
  audit: ['at'],
  publishing: ['at'],
  agents: ['at'],
};
const agentCounts = ['calls', 'reads', 'writes', 'errors', 'rateLimited'];

/** What an operation can be applied to. */
export function metricFields(
  source: CustomReportSource,
  op: Metric['op'],
  numberFields: readonly string[],
): string[] {
  if (op === 'count') return [];
  const numbers = source === 'entries' ? numberFields.map((name) => `fields.${name}`) : [];
  if (source === 'agents' && op === 'sum') return agentCounts;
  return op === 'max' ? [...moments[source], ...numbers] : numbers;
}

export const keysOf = (source: CustomReportSource): readonly string[] => customReportSources[source];

/** Fields of the one content type that is counted, which a report may group by or calculate with. */
export function fieldsOf(project: Project, { source, filters }: Draft): readonly Field[] {
  const chosen = filters.find(({ key }) => key === 'contentTypeApiName')?.values.trim() ?? '';
  return source === 'entries' ? (typeOf(project, chosen)?.fields ?? []) : [];
}

const FIELD = 'fields.';

/** A key or field of a report in words; fields of the content type have the names that editors know. */
export function keyText(
  key: string,
  fields: readonly { readonly apiName: string; readonly name: string }[] = [],
): string {
  if (!key.startsWith(FIELD)) return maybeText(`report.key.${key}`) ?? key;
  const apiName = key.slice(FIELD.length);
  return fields.find((field) => field.apiName === apiName)?.name ?? apiName;
}

/** A column of figures: `count`, or such as `sum(fields.price)`. */
export function metricText(name: string, fields: Parameters<typeof keyText>[1]): string {
  const [, op = name, field] = /^(\w+)\((.+)\)$/.exec(name) ?? [];
  const operation = maybeText(`custom.op.${op}`) ?? op;
  return field === undefined ? operation : t('report.metric', { operation, field: keyText(field, fields) });
}
