import { z } from 'zod';
import { keysIn, splitList, Description, InstantInput, Name, Timestamp } from '../../primitives.js';
import { limits } from '../../limits.js';
import { Actor } from '../../actor.js';
import { reportFile, ReportGranularity, ReportRange } from '../reports/report.js';
import { isTimeZone } from '../../entries/schedules/schedule.js';

const timeZone = (): z.ZodString => z.string().max(64).refine(isTimeZone, 'must be an IANA time zone');

const recordKeys = [
  'actorType',
  'actorId',
  'interface',
  'contentTypeApiName',
  'siteId',
  'locale',
  'date',
] as const;

/** What a report counts, with the keys that it can be grouped and filtered by (rule reports/custom). */
export const customReportSources = {
  entries: ['contentTypeApiName', 'siteId', 'locale', 'status', 'createdBy', 'date'],
  audit: ['action', 'resource', ...recordKeys],
  publishing: ['action', ...recordKeys],
  agents: ['apiKeyId', 'surface', 'tool', 'date'],
  translations: ['contentTypeApiName', 'siteId', 'locale', 'status', 'assigneeId', 'priority', 'date'],
} as const;
export type CustomReportSource = keyof typeof customReportSources;

const sources = Object.keys(customReportSources) as [CustomReportSource, ...CustomReportSource[]];
const keysOf = (source: CustomReportSource): string =>
  `\`${source}\`: ${customReportSources[source].join(', ')}`;
const keyList = sources.map(keysOf).join('; ');

const Source = z.enum(sources).meta({
  description:
    'What is counted: entries as they are now, audit records, publications, calls of API keys, or translations as they are now.',
  example: 'publishing',
});

const MAXIMUM_VALUES = 100;
const keyLength = limits.apiNameLength + 'fields.'.length;
const Metric = z.strictObject({
  op: z.enum(['count', 'sum', 'avg', 'max']).meta({ description: 'How values are combined.' }),
  field: z.string().min(1).max(keyLength).optional().meta({
    description:
      'Required except for `count`. Numbers: `fields.{apiName}` of entries; `calls`, `reads`, `writes`, `errors`, `rateLimited` of agents (`sum` only). Times (`max` only): `createdAt`, `updatedAt`, `publishedAt` of entries, `updatedAt` of translations, `at` of the others.',
    example: 'fields.price',
  }),
});
export type CustomReportMetric = z.infer<typeof Metric>;

const Metrics = z
  .array(Metric)
  .min(1)
  .max(limits.customReportMetrics)
  .meta({ description: 'What is calculated for each group.', example: [{ op: 'count' }] });

const GroupBy = z
  .array(z.string().min(1).max(keyLength))
  .max(limits.customReportGroupings)
  .meta({
    description: `Keys whose values are the groups. ${keyList}. Entries of one content type also by \`fields.{apiName}\`.`,
    example: ['contentTypeApiName'],
  });

const FilterValues = z.array(z.string().max(limits.textLength)).min(1).max(MAXIMUM_VALUES);
const FilterText = z
  .string()
  .min(1)
  .max(limits.textLength)
  .refine((text) => splitList(text).length <= MAXIMUM_VALUES, {
    message: `must have at most ${String(MAXIMUM_VALUES)} values`,
  });

const filtersOf = <Values extends z.ZodType>(values: Values) =>
  z
    .record(z.string().min(1).max(keyLength), values)
    .refine((filters) => Object.keys(filters).length <= limits.customReportFilters, {
      message: `must have at most ${String(limits.customReportFilters)} keys`,
    })
    .meta({
      description: 'Values to keep for each key of `groupBy`, except `date`.',
      maxProperties: limits.customReportFilters,
      example: { contentTypeApiName: ['article'] },
    });
const Filters = filtersOf(FilterValues);
/** As in a query string, text separates values with commas. */
const FiltersInput = filtersOf(z.union([FilterValues, FilterText]));

const Range = z
  .strictObject({
    days: z.int().min(1).max(limits.reportDays).optional().meta({
      description: 'Length of the period before `to`. Defaults to 30. Excludes `from`.',
      example: 90,
    }),
    from: InstantInput.optional(),
    to: InstantInput.optional().meta({ description: 'Exclusive. Defaults to the time of the run.' }),
    granularity: ReportGranularity.default('day').meta({ description: 'Length of a `date`.' }),
    timezone: timeZone().default('UTC').meta({
      description: 'Time zone of the dates.',
      example: 'Europe/Berlin',
    }),
  })
  .refine(({ days, from }) => days === undefined || from === undefined, {
    path: ['days'],
    message: 'cannot be combined with from',
  })
  .meta({
    description:
      'Period of the records, of the creation of entries, or of the last change of translations. Null: all, or the last 30 days if grouped by date or of records.',
    not: keysIn('days', 'from'),
    example: { days: 90, granularity: 'week', timezone: 'Europe/Berlin' },
  });

const Chart = z
  .enum(['table', 'bar', 'line', 'pie'])
  .meta({ description: 'How to show the rows.', example: 'bar' });
const Visibility = z.enum(['private', 'shared']).meta({
  description: 'Who sees the definition: its creator, or every reader of reports.',
  example: 'shared',
});

/** Rule reports/custom. */
export const CustomReport = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    source: Source,
    metrics: Metrics,
    groupBy: GroupBy,
    filters: Filters,
    range: Range.nullable(),
    chart: Chart,
    visibility: Visibility,
    createdBy: Actor,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CustomReport', description: 'The definition of a report.' });
export type CustomReport = z.infer<typeof CustomReport>;

export const customReportInput = {
  name: Name,
  description: Description.nullish(),
  source: Source,
  metrics: Metrics,
  groupBy: GroupBy.optional(),
  filters: FiltersInput.optional(),
  range: Range.nullish(),
  chart: Chart.optional(),
  visibility: Visibility.optional(),
};

export const customReportChange = {
  name: Name.optional(),
  description: Description.nullish(),
  source: Source.optional(),
  metrics: Metrics.optional(),
  groupBy: GroupBy.optional(),
  filters: FiltersInput.optional(),
  range: Range.nullish(),
  chart: Chart.optional(),
  visibility: Visibility.optional(),
};

/** Replaces parts of the stored range in one run. */
export const customReportRunRange = {
  from: InstantInput.optional().meta({
    description: 'Start of the period. Replaces that of the definition.',
    example: '2027-01-01T00:00:00Z',
  }),
  to: InstantInput.optional().meta({
    description: 'End of the period, exclusive. Replaces that of the definition.',
    example: '2027-02-01T00:00:00Z',
  }),
  granularity: ReportGranularity.optional().meta({
    description: 'Length of a `date`. Replaces that of the definition.',
    example: 'week',
  }),
  timezone: timeZone().optional().meta({
    description: 'IANA time zone of the dates. Replaces that of the definition.',
    example: 'Europe/Berlin',
  }),
};

const Value = z
  .union([z.number(), z.string().meta({ description: 'UTC, ISO 8601 with milliseconds.' })])
  .nullable();
const Values = z.record(z.string(), Value).meta({
  description:
    'Metrics by name: `count`, or operation and field such as `sum(fields.price)`. Null if there is no value.',
  example: { count: 12 },
});

export const CustomReportResult = z
  .object({
    range: ReportRange.nullable().meta({ description: 'Null for everything as it is now.' }),
    groupBy: z.array(z.string()),
    metrics: z.array(z.string()).meta({ description: 'Names of the metrics.', example: ['count'] }),
    chart: Chart,
    totals: Values,
    rows: z.array(
      z.object({
        groups: z
          .record(
            z.string(),
            z.object({
              value: z
                .union([z.string(), z.boolean()])
                .nullable()
                .meta({ description: 'Value that the group has in common.' }),
              label: z.string().meta({ description: 'Name of the value.' }),
            }),
          )
          .meta({
            description:
              'The value of each key of `groupBy`, a boolean of boolean fields, null if there is none, and what to show.',
            example: { contentTypeApiName: { value: 'article', label: 'Article' } },
          }),
        values: Values,
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'CustomReportResult', description: 'Totals and groups of a custom report.' });
export type CustomReportResult = z.infer<typeof CustomReportResult>;

export const CustomReportMeta = z.object({
  groups: z.int().meta({ description: 'Number of groups.' }),
  truncated: z.boolean().meta({
    description: `Whether \`rows\` are only the ${String(limits.customReportRows)} groups with the largest first metric.`,
  }),
});
export type CustomReportMeta = z.infer<typeof CustomReportMeta>;
