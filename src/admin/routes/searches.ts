import { readPeriod, type Period } from '../insight/period.js';
import { priorities } from '../planning/translations/statuses.js';
import { textValue } from '../ui/search-values.js';

/** What is shown beside the form, in the order of its buttons. */
export const panels = ['preview', 'workflow', 'comments', 'publication', 'versions', 'uses'] as const;

export type Panel = (typeof panels)[number];

// What screens keep in their addresses.

export const taskKinds = ['transition', 'approval', 'translation', 'mention'] as const;

/** Whose work of which kind, which is in the address. */
export interface TaskSearch {
  /** Id of a user; absent: the user of the session. */
  readonly assignee?: string | undefined;
  readonly kind?: (typeof taskKinds)[number] | undefined;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const readTaskSearch = (given: Record<string, unknown>): TaskSearch => ({
  assignee: typeof given.assignee === 'string' && ID.test(given.assignee) ? given.assignee : undefined,
  kind: taskKinds.find((kind) => kind === given.kind),
});

/** Which environments are compared, which is in the address. */
export interface PromoteSearch {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly page?: number | undefined;
}

export const readPromoteSearch = ({ source, target, page }: Record<string, unknown>): PromoteSearch => ({
  source: textValue(source),
  target: textValue(target),
  page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
});

/** What the editor shows of an entry, which is in the address. */
export interface EntrySearch {
  readonly locale?: string | undefined;
  /** Another locale that is shown beside it. */
  readonly beside?: string | undefined;
  readonly panel?: Panel | undefined;
  /** Id of a comment: its thread is shown. */
  readonly thread?: string | undefined;
  /** Path of a field that is shown first, as previews of a site name it. */
  readonly field?: string | undefined;
}

export const readEntrySearch = (given: Record<string, unknown>): EntrySearch => ({
  locale: textValue(given.locale),
  beside: textValue(given.beside),
  panel: panels.find((one) => one === given.panel),
  thread: textValue(given.thread),
  field: textValue(given.field),
});

/** The filters of the issues, which are in the address; the screen knows their values. */
export interface GovernanceSearch {
  readonly status?: string | undefined;
  readonly severity?: string | undefined;
  readonly detector?: string | undefined;
  readonly page?: number | undefined;
}

export const readGovernanceSearch = (search: Record<string, unknown>): GovernanceSearch => ({
  status: textValue(search.status),
  severity: textValue(search.severity),
  detector: textValue(search.detector),
  page: Number.isInteger(search.page) && Number(search.page) > 0 ? Number(search.page) : undefined,
});

/** The filters of a report, which are in the address. */
export interface ReportSearch extends Period {
  readonly site?: string | undefined;
  readonly locale?: string | undefined;
  readonly type?: string | undefined;
  readonly page?: number | undefined;
}

export const readReportSearch = (search: Record<string, unknown>): ReportSearch => ({
  ...readPeriod(search),
  site: textValue(search.site),
  locale: textValue(search.locale),
  type: textValue(search.type),
  page: Number.isInteger(search.page) && Number(search.page) > 0 ? Number(search.page) : undefined,
});

/** What the board shows, which is in the address. */
export interface BoardSearch {
  /** Into which the board translates; absent: the first one that is not a source. */
  readonly locale?: string | undefined;
  readonly type?: string | undefined;
  readonly site?: string | undefined;
  /** Id of a user. */
  readonly assignee?: string | undefined;
  readonly priority?: (typeof priorities)[number] | undefined;
}

const text = (value: unknown) => textValue(value, 100);

export const readBoardSearch = (given: Record<string, unknown>): BoardSearch => ({
  locale: text(given.locale),
  type: text(given.type),
  site: text(given.site),
  assignee: text(given.assignee),
  priority: priorities.find((priority) => priority === given.priority),
});
