import type { ReactNode } from 'react';
import { client, type Outputs } from '../../api/client.js';
import type { rangeOf } from '../period.js';
import { typeOf, useProject } from '../../api/project-data.js';
import { formatNumber, localeName, t } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EntryLink } from '../entry-link.js';
import { count, time } from '../figures.js';

type Reports = Outputs['reports'];
type DataOf<Name extends keyof Reports> = Reports[Name]['data'];
type RowOf<Name extends keyof Reports> = DataOf<Name>['rows'][number];
interface Props<Name extends keyof Reports> {
  readonly data: DataOf<Name>;
}

function TypeName({ apiName }: { readonly apiName: string | null }) {
  const project = useProject();
  return apiName === null ? '–' : (typeOf(project, apiName)?.name ?? apiName);
}

function FieldName({ type, apiName }: { readonly type: string; readonly apiName: string }) {
  const fields = typeOf(useProject(), type)?.fields ?? [];
  return <span className="clip">{fields.find((one) => one.apiName === apiName)?.name ?? apiName}</span>;
}

const publishing = (): Column<RowOf<'publishingActivity'>>[] => [
  {
    key: 'title',
    label: t('column.title'),
    cell: ({ entryId, title, locale }) => <EntryLink id={entryId} locale={locale} title={title} />,
  },
  {
    key: 'type',
    label: t('column.type'),
    isWide: true,
    cell: ({ contentTypeApiName }) => <TypeName apiName={contentTypeApiName} />,
  },
  {
    key: 'locale',
    label: t('list.locale'),
    cell: ({ locale }) => (locale === null ? t('entry.shared') : localeName(locale)),
  },
  {
    key: 'action',
    label: t('report.event'),
    cell: ({ action }) => <span className={`badge ${action}`}>{t(`figure.${action}`)}</span>,
  },
  { key: 'by', label: t('report.by'), isWide: true, cell: ({ by }) => by.name },
  { key: 'at', label: t('audit.at'), cell: ({ at }) => time(t('audit.at'), at) },
];

const PublishingRows = ({ data }: Props<'publishingActivity'>) => (
  <DataTable
    columns={publishing()}
    keyOf={({ entryId, at, action }, index) => [entryId, at, action, index].join(' ')}
    label={t('report.publishing-activity')}
    rows={data.rows}
  />
);

const health = (): Column<RowOf<'contentHealth'>>[] => [
  {
    key: 'title',
    label: t('column.title'),
    cell: ({ entryId, title, issues }) => (
      <EntryLink id={entryId} locale={issues[0]?.locale ?? null} title={title} />
    ),
  },
  {
    key: 'issues',
    label: t('figure.issues'),
    cell: ({ issues }) => (
      <ul className="plain">
        {issues.map(({ code, severity, field, locale }) => (
          <li className="row tight" key={[code, field, locale].join(' ')}>
            <span className={`badge ${severity}`}>{t(`severity.${severity}`)}</span>
            <span>{t(`health.${code}`)}</span>
            <span className="soft small">
              {[field, locale && localeName(locale)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
];

const HealthRows = ({ data }: Props<'contentHealth'>) => (
  <DataTable
    columns={health()}
    keyOf={({ entryId }) => entryId}
    label={t('report.content-health')}
    rows={data.rows}
  />
);

const schema = (): Column<RowOf<'schemaUsage'>>[] => [
  {
    key: 'type',
    label: t('column.type'),
    cell: ({ contentTypeApiName }) => <TypeName apiName={contentTypeApiName} />,
  },
  count('entries'),
  count('published'),
  count('drafts'),
  {
    key: 'fields',
    label: t('report.fields'),
    cell: ({ contentTypeApiName, fields }) => (
      <ul className="plain fill-rates">
        {fields.map(({ apiName, fillRate, filled }) => (
          <li key={apiName}>
            <FieldName apiName={apiName} type={contentTypeApiName} />
            <meter aria-label={apiName} max={1} min={0} value={fillRate} />
            <span className="soft small">{formatNumber(filled)}</span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'updated',
    label: t('column.updated'),
    isWide: true,
    cell: ({ lastUpdatedAt }) => time(t('column.updated'), lastUpdatedAt),
  },
];

const SchemaRows = ({ data }: Props<'schemaUsage'>) => (
  <DataTable
    columns={schema()}
    keyOf={({ contentTypeApiName }) => contentTypeApiName}
    label={t('report.schema-usage')}
    rows={data.rows}
  />
);

const UserRows = ({ data }: Props<'userActivity'>) => (
  <DataTable<RowOf<'userActivity'>>
    columns={[
      { key: 'name', label: t('report.user'), cell: ({ name }) => name ?? t('audit.otherActor') },
      ...(['created', 'updated', 'published', 'deleted'] as const).map(count),
      {
        key: 'last',
        label: t('report.lastActive'),
        isWide: true,
        cell: ({ lastActiveAt }) => time(t('report.lastActive'), lastActiveAt),
      },
    ]}
    keyOf={({ userId }) => userId}
    label={t('report.user-activity')}
    rows={data.rows}
  />
);

const agentCounts = ['calls', 'reads', 'writes', 'publishes', 'deletes', 'errors', 'rateLimited'] as const;

const AgentRows = ({ data }: Props<'agentActivity'>) => (
  <DataTable<RowOf<'agentActivity'>>
    columns={[
      { key: 'name', label: t('report.key'), cell: ({ name }) => name ?? t('audit.nameless') },
      { key: 'type', label: t('column.type'), isWide: true, cell: ({ type }) => type ?? '–' },
      ...agentCounts.map(count),
      {
        key: 'tools',
        label: t('report.tools'),
        isWide: true,
        cell: ({ topTools }) =>
          topTools.map(({ tool, calls }) => `${tool} (${formatNumber(calls)})`).join(', '),
      },
      {
        key: 'last',
        label: t('report.lastUsed'),
        isWide: true,
        cell: ({ lastUsedAt }) => time(t('report.lastUsed'), lastUsedAt),
      },
    ]}
    keyOf={({ apiKeyId }) => apiKeyId}
    label={t('report.agent-activity')}
    rows={data.rows}
  />
);

const EmptySearchRows = ({ data }: Props<'emptySearches'>) => (
  <DataTable<RowOf<'emptySearches'>>
    columns={[
      { key: 'query', label: t('report.query'), cell: ({ query }) => query },
      count('searches'),
      { key: 'source', label: t('report.source'), cell: ({ source }) => t(`report.source.${source}`) },
      { key: 'locale', label: t('list.locale'), cell: ({ locale }) => locale && localeName(locale) },
      {
        key: 'last',
        label: t('report.lastSearch'),
        isWide: true,
        cell: ({ lastAt }) => time(t('report.lastSearch'), lastAt),
      },
    ]}
    keyOf={({ query, source, siteId, locale }) => [query, source, siteId, locale].join(' ')}
    label={t('report.empty-searches')}
    rows={data.rows}
  />
);

/** Scope and page. */
interface StateInput {
  readonly projectSlug: string;
  readonly page: number;
  readonly limit: number;
  readonly format: 'json' | 'csv' | 'svg';
  readonly theme: 'light' | 'dark';
  readonly siteId?: string[];
  readonly locale?: string[];
  readonly contentTypeApiName?: string[];
}
export interface ReportInput {
  readonly state: StateInput;
  readonly range: ReturnType<typeof rangeOf>;
}

/** What all reports have. */
interface ReportData {
  readonly summary: Readonly<Record<string, unknown>>;
  readonly series?: readonly Readonly<Record<string, string | number>>[];
  readonly csv?: string | undefined;
  readonly svg?: string | undefined;
  readonly fileName?: string | undefined;
}

interface ReportAnswer {
  readonly data: ReportData;
  readonly meta: { readonly page: number; readonly pages: number; readonly total: number };
}

/** A report without a period shows what is there now. */
export type ReportFilter = 'period' | 'grouping' | 'type' | 'locale' | 'site';

interface ReportKind {
  readonly filters: readonly ReportFilter[];
  read(input: ReportInput): Promise<ReportAnswer>;
  /** Of an answer of `read`. */
  rows(data: ReportData): ReactNode;
}

interface Shape<Data extends ReportData> extends Pick<ReportKind, 'filters'> {
  readonly read: (input: ReportInput) => Promise<ReportAnswer & { readonly data: Data }>;
  readonly Rows: (props: { readonly data: Data }) => ReactNode;
}

const kind = <Data extends ReportData>({ filters, read, Rows }: Shape<Data>): ReportKind => ({
  filters,
  read,
  rows: (data) => <Rows data={data as Data} />,
});

const { reports } = client;

const everyFilter = ['period', 'grouping', 'type', 'locale', 'site'] as const;
const filtersOfNow = ['type', 'locale', 'site'] as const;

/** The reports by the last segment of their address. */
export const reportKinds = {
  'publishing-activity': kind({
    filters: everyFilter,
    read: ({ state, range }) => reports.publishingActivity.query({ ...range, ...state }),
    Rows: PublishingRows,
  }),
  'content-health': kind({
    filters: filtersOfNow,
    read: ({ state }) => reports.contentHealth.query(state),
    Rows: HealthRows,
  }),
  'schema-usage': kind({
    filters: filtersOfNow,
    read: ({ state }) => reports.schemaUsage.query(state),
    Rows: SchemaRows,
  }),
  'user-activity': kind({
    filters: everyFilter,
    read: ({ state, range }) => reports.userActivity.query({ ...range, ...state }),
    Rows: UserRows,
  }),
  'agent-activity': kind({
    filters: everyFilter,
    read: ({ state, range }) => reports.agentActivity.query({ ...range, ...state }),
    Rows: AgentRows,
  }),
  'empty-searches': kind({
    filters: ['period', 'locale', 'site'],
    read: ({ state, range: { from, to } }) => reports.emptySearches.query({ ...state, from, to }),
    Rows: EmptySearchRows,
  }),
};
export type ReportName = keyof typeof reportKinds;
export const reportNames = Object.keys(reportKinds) as ReportName[];
