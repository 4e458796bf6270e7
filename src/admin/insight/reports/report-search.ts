import { readPeriod, type Period } from '../period.js';
import { textValue } from '../../ui/search-values.js';

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
