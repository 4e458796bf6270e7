import { readPeriod, type Period } from '../period.js';

/** The filters of a report, which are in the address. */
export interface ReportSearch extends Period {
  readonly site?: string | undefined;
  readonly locale?: string | undefined;
  readonly type?: string | undefined;
  readonly page?: number | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const readReportSearch = (search: Record<string, unknown>): ReportSearch => ({
  ...readPeriod(search),
  site: text(search.site),
  locale: text(search.locale),
  type: text(search.type),
  page: Number.isInteger(search.page) && Number(search.page) > 0 ? Number(search.page) : undefined,
});
