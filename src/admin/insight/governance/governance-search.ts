import { textValue } from '../../ui/search-values.js';

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
