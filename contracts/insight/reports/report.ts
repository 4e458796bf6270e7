import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { IssueSeverity } from '../governance/governance.js';

export const ReportGranularity = z.enum(['day', 'week', 'month']);
export type ReportGranularity = z.infer<typeof ReportGranularity>;

export const reportFormats = ['json', 'csv', 'svg'] as const;

/** Colours of a chart; `auto` follows the system of the reader. */
const reportThemes = ['auto', 'light', 'dark'] as const;
export type ReportTheme = (typeof reportThemes)[number];

/** Rule reports/parameters. */
export const ReportRange = z
  .object({
    from: Timestamp,
    to: Timestamp,
    granularity: ReportGranularity,
    timezone: z.string().meta({ description: 'Time zone of the dates.', example: 'Europe/Berlin' }),
  })
  .meta({ id: 'ReportRange', description: 'The period of a report, in whole quarters of an hour.' });
export type ReportRange = z.infer<typeof ReportRange>;

/** Keys of a report as a file. */
export const reportFile = {
  csv: z.string().optional().meta({ description: 'The rows as CSV, if requested.' }),
  svg: z.string().optional().meta({ description: 'A chart as an SVG document, if requested.' }),
  fileName: z.string().optional().meta({ description: 'Name of the file, if CSV or SVG is requested.' }),
};

const count = (description: string) => z.int().meta({ description });
const date = z.string().meta({
  description: 'First day of the bucket, in the time zone of the report.',
  example: '2027-01-01',
});

const publishingCounts = {
  published: count('Locales published.'),
  unpublished: count('Locales unpublished.'),
  scheduled: count('Schedules requested.'),
  failed: count('Scheduled actions that failed.'),
};

export const PublishingActivity = z
  .object({
    range: ReportRange,
    summary: z.object(publishingCounts),
    series: z.array(z.object({ date, ...publishingCounts })),
    rows: z.array(
      z.object({
        entryId: z.string(),
        title: z.string().nullable(),
        contentTypeApiName: z.string().nullable().meta({ description: 'Null if the type was deleted.' }),
        siteId: z.string().nullable(),
        locale: z.string().nullable(),
        action: z
          .enum(['published', 'unpublished', 'scheduled', 'failed'])
          .meta({ description: 'What happened to the entry.' }),
        at: Timestamp,
        by: Actor,
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'PublishingActivity', description: 'Publications of a period.' });
export type PublishingActivity = z.infer<typeof PublishingActivity>;

/** Rule reports/parameters. */
export const healthCodes = [
  'missing_required',
  'missing_alt_text',
  'missing_translation',
  'stale_translation',
  'broken_reference',
  'orphaned',
  'no_slug',
  'duplicate_slug',
  'stale_content',
  'draft_drift',
  'redirect_loop',
] as const;
export type HealthCode = (typeof healthCodes)[number];

const HealthIssue = z
  .object({
    code: z.enum(healthCodes).meta({ description: 'What is wrong with the entry.' }),
    severity: IssueSeverity,
    field: z.string().optional().meta({ description: 'Name of the field, if it is about one.' }),
    block: z
      .string()
      .optional()
      .meta({ description: 'Id of the block of the entry that has the field, if it is in one.' }),
    locale: z.string().optional().meta({ description: 'Absent if it is about the entry in every locale.' }),
    message: z.string(),
  })
  .meta({ id: 'HealthIssue', description: 'Something in an entry that should be fixed.' });
export type HealthIssue = z.infer<typeof HealthIssue>;

export const ContentHealth = z
  .object({
    summary: z.object({
      entries: count('Entries.'),
      issues: count('Issues of all entries.'),
      score: z.int().min(0).max(100).meta({
        description:
          'Percentage of entries without issues as a whole or in a locale that their site requires, or in `locale` if it is given. Rounded down; 100 without entries.',
        example: 87,
      }),
      pending: count(
        'Changed entries that are shown as they were before their last change, since many have changed. Usually 0.',
      ),
      byType: z.record(z.string(), z.int()).meta({
        description: 'Issues by code; without those that have none.',
        example: { missing_required: 3, stale_content: 12 },
      }),
    }),
    rows: z.array(
      z.object({
        entryId: z.string(),
        title: z
          .string()
          .nullable()
          .meta({ description: 'Null if you cannot read a locale that is written.' }),
        issues: z.array(HealthIssue).meta({ description: 'The most severe first, at most 100.' }),
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'ContentHealth', description: 'Issues of entries.' });
export type ContentHealth = z.infer<typeof ContentHealth>;

const changeCounts = {
  created: count('Items created.'),
  updated: count('Updates of items.'),
  published: count('Locales published.'),
  deleted: count('Items deleted.'),
};

export const SchemaUsage = z
  .object({
    summary: z.object({
      contentTypes: count('Content types.'),
      entries: count('Entries.'),
      published: count('Entries that are published.'),
      drafts: count('Entries that are not published.'),
    }),
    rows: z.array(
      z.object({
        contentTypeApiName: z.string(),
        entries: count('Entries.'),
        published: count('Entries that are published.'),
        drafts: count('Entries that are not published.'),
        lastUpdatedAt: Timestamp.nullable(),
        fields: z
          .array(
            z.object({
              apiName: z.string(),
              filled: count('Entries with a value.'),
              fillRate: z.number().min(0).max(1).meta({ description: 'Filled by entries.' }),
              unused: z.boolean(),
            }),
          )
          .meta({ description: 'How often each field is used.' }),
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'SchemaUsage', description: 'How content types and their fields are used.' });
export type SchemaUsage = z.infer<typeof SchemaUsage>;

export const UserActivity = z
  .object({
    range: ReportRange,
    summary: z.object({ users: count('Users with changes.'), ...changeCounts }),
    series: z.array(z.object({ date, ...changeCounts })),
    rows: z.array(
      z.object({
        userId: z.string(),
        name: z.string().nullable().meta({ description: 'Null if the user is no longer a member.' }),
        ...changeCounts,
        lastActiveAt: Timestamp.meta({ description: 'Last change in the period.' }),
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'UserActivity', description: 'Changes made by users in a period.' });
export type UserActivity = z.infer<typeof UserActivity>;

const callCounts = {
  calls: count('Management calls that succeeded.'),
  reads: count('Successful calls that read.'),
  writes: count('Successful calls that write.'),
  publishes: count('Locales published.'),
  deletes: count('Items deleted.'),
  errors: count('Calls that failed, except rate-limited ones.'),
  rateLimited: count('Calls refused by a rate limit.'),
};

export const AgentActivity = z
  .object({
    range: ReportRange,
    summary: z.object({ keys: count('Keys with activity.'), ...callCounts }),
    series: z.array(z.object({ date, ...callCounts })),
    rows: z.array(
      z.object({
        apiKeyId: z.string(),
        name: z.string().nullable(),
        type: z.string().nullable().meta({ description: 'Kind of the key.' }),
        ...callCounts,
        lastUsedAt: Timestamp.meta({ description: 'Last use in the period.' }),
        topTools: z
          .array(z.object({ tool: z.string(), calls: z.int() }))
          .meta({ description: 'The five MCP tools called most, with failed calls.' }),
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'AgentActivity', description: 'Use of API keys in a period.' });
export type AgentActivity = z.infer<typeof AgentActivity>;

/** Days for which queries without results are kept, and how many of a day in UTC. */
export const emptySearchBounds = { days: 90, perDay: 1000 };

export const searchSources = ['delivery', 'management'] as const;
export type SearchSource = (typeof searchSources)[number];

export const EmptySearches = z
  .object({
    range: z.object({ from: Timestamp, to: Timestamp }).meta({ description: 'Period.' }),
    summary: z.object({ queries: count('Queries.'), searches: count('Searches without results.') }),
    rows: z.array(
      z.object({
        query: z.string().meta({ description: 'In lower case.', example: 'river lok' }),
        source: z.enum(searchSources),
        locale: z.string().nullable().meta({ description: 'Null: no single locale was searched.' }),
        siteId: z.string().nullable().meta({ description: 'Null: no single site was searched.' }),
        searches: count('Searches.'),
        lastAt: Timestamp,
      }),
    ),
    ...reportFile,
  })
  .meta({ id: 'EmptySearches', description: 'Queries without results in a period.' });
export type EmptySearches = z.infer<typeof EmptySearches>;

/** Parameters of a report as a file. */
export const reportFileInput = {
  format: z.enum(reportFormats).default('json').meta({
    description: '`csv` returns the rows as a file, `svg` a chart.',
    example: 'json',
  }),
  theme: z.enum(reportThemes).default('auto').meta({
    description: 'Colours of the chart. `auto` follows the system of the reader.',
    example: 'dark',
  }),
};

/** How REST returns the file. */
export const reportFileResponse = {
  mediaType: 'text/csv',
  key: 'csv',
  fileName: 'fileName',
  isOptional: true,
  others: [{ mediaType: 'image/svg+xml', key: 'svg' }],
} as const;
