import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, InstantInput, LocaleCode, paging } from '../../primitives.js';
import type { ToolMeta } from '../../metadata.js';
import { management } from '../../procedure.js';
import {
  AgentActivity,
  ContentHealth,
  emptySearchBounds,
  EmptySearches,
  PublishingActivity,
  ReportGranularity,
  SchemaUsage,
  reportFileInput,
  reportFileResponse,
  searchSources,
  UserActivity,
} from './report.js';
import { isTimeZone } from '../../entries/schedules/schedule.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Reports'];
const resource = 'reports';
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

const reportRange = {
  from: InstantInput.optional().meta({
    description: `Start of the period, at most ${limits.reportDays} days before \`to\`. Defaults to 30 days before \`to\`.`,
    example: '2027-01-01T00:00:00Z',
  }),
  to: InstantInput.optional().meta({
    description: 'End of the period, exclusive. Defaults to now.',
    example: '2027-02-01T00:00:00Z',
  }),
  granularity: ReportGranularity.default('day').meta({ description: 'Length of a bucket.', example: 'week' }),
  timezone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone').default('UTC').meta({
    description: 'IANA time zone whose days, weeks and months are counted.',
    example: 'Europe/Berlin',
  }),
};

const scope = {
  siteId: anyOf(z.uuid(), 'Filter by site.', sampleId),
  locale: anyOf(LocaleCode, 'Filter by locale.', 'de'),
  contentTypeApiName: anyOf(z.string(), 'Filter by content type.', 'article'),
};
const errors = ['site_not_found', 'content_type_not_found', 'locale_not_found'] as const;
const reportOf = <S extends z.ZodType>(data: S) => z.object({ data, meta: PageMeta });
const describe = (text: string): string =>
  `${text} Counts cover the environment of the call and what the caller may read.`;

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly mcp?: ToolMeta;
}

const statistics = (path: `/${string}`, { summary, description, mcp }: Described) =>
  management({
    ...(mcp && { mcp }),
    openapi: managementRoute('GET', path, {
      summary,
      description: describe(description),
      tags,
      textResponse: reportFileResponse,
    }),
    resource,
    action: 'read',
    errors,
  });
const state = { ...scope, ...paging, ...reportFileInput };
const report = (path: `/${string}`, summary: string, description: string) =>
  statistics(path, { summary, description }).input(inProject({ ...reportRange, ...state }));

export const reports = {
  publishingActivity: report(
    '/reports/publishing-activity',
    'Report publishing activity',
    'Returns how many locales were published, unpublished, scheduled or failed to publish, in total and over time, with the latest events.',
  ).output(reportOf(PublishingActivity)),

  contentHealth: statistics('/reports/content-health', {
    summary: 'Report content health',
    description:
      'Returns what should be fixed in entries as they are now, such as missing values and broken references, by entry and in total. Entries with the most severe issues come first.',
    mcp: {
      tool: 'content_health',
      toolset: 'insight',
      title: 'Report content health',
      description:
        'Lists entries with what should be fixed in them, such as missing values, broken references and stale content, most severe first.',
      readOnly: true,
      takes: ['siteId', 'locale', 'contentTypeApiName', 'page', 'limit'],
    },
  })
    .input(inProject(state))
    .output(reportOf(ContentHealth)),

  schemaUsage: statistics('/reports/schema-usage', {
    summary: 'Report schema usage',
    description:
      'Returns the entries of each content type and how many have a value in each field, as they are now.',
  })
    .input(inProject(state))
    .output(reportOf(SchemaUsage)),

  userActivity: report(
    '/reports/user-activity',
    'Report user activity',
    'Returns what users created, updated, published and deleted, most active first.',
  ).output(reportOf(UserActivity)),

  agentActivity: report(
    '/reports/agent-activity',
    'Report agent activity',
    'Returns the use of API keys, most used first. Calls appear within seconds; calls of the delivery API are not counted.',
  ).output(reportOf(AgentActivity)),

  emptySearches: statistics('/reports/empty-searches', {
    summary: 'Report searches without results',
    description: `Returns queries that found nothing, by site and locale, most frequent first. They appear within seconds and are kept for ${String(emptySearchBounds.days)} days.`,
  })
    .input(
      inProject({
        from: reportRange.from,
        to: reportRange.to,
        siteId: scope.siteId,
        locale: scope.locale,
        source: z
          .enum(searchSources)
          .optional()
          .meta({ description: 'Filter by where was searched.', example: 'delivery' }),
        ...paging,
        ...reportFileInput,
      }),
    )
    .output(reportOf(EmptySearches)),
};
