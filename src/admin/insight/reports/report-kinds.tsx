import type { ReactNode } from 'react';
import { client } from '../../api/client.js';
import type { rangeOf } from '../period.js';
import { AgentRows, HealthRows, PublishingRows, SchemaRows, UserRows } from './report-rows.js';

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

interface ReportKind {
  /** Others show what is there now. */
  readonly hasPeriod: boolean;
  read(input: ReportInput): Promise<ReportAnswer>;
  /** Of an answer of `read`. */
  rows(data: ReportData): ReactNode;
}

interface Shape<Data extends ReportData> {
  readonly hasPeriod: boolean;
  readonly read: (input: ReportInput) => Promise<ReportAnswer & { readonly data: Data }>;
  readonly Rows: (props: { readonly data: Data }) => ReactNode;
}

const kind = <Data extends ReportData>({ hasPeriod, read, Rows }: Shape<Data>): ReportKind => ({
  hasPeriod,
  read,
  rows: (data) => <Rows data={data as Data} />,
});

const { reports } = client;

/** The five reports by the last segment of their address. */
export const reportKinds = {
  'publishing-activity': kind({
    hasPeriod: true,
    read: ({ state, range }) => reports.publishingActivity.query({ ...range, ...state }),
    Rows: PublishingRows,
  }),
  'content-health': kind({
    hasPeriod: false,
    read: ({ state }) => reports.contentHealth.query(state),
    Rows: HealthRows,
  }),
  'schema-usage': kind({
    hasPeriod: false,
    read: ({ state }) => reports.schemaUsage.query(state),
    Rows: SchemaRows,
  }),
  'user-activity': kind({
    hasPeriod: true,
    read: ({ state, range }) => reports.userActivity.query({ ...range, ...state }),
    Rows: UserRows,
  }),
  'agent-activity': kind({
    hasPeriod: true,
    read: ({ state, range }) => reports.agentActivity.query({ ...range, ...state }),
    Rows: AgentRows,
  }),
};
export type ReportName = keyof typeof reportKinds;
export const reportNames = Object.keys(reportKinds) as ReportName[];
