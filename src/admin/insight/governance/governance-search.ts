/** The filters of the issues, which are in the address; the screen knows their values. */
export interface GovernanceSearch {
  readonly status?: string | undefined;
  readonly severity?: string | undefined;
  readonly detector?: string | undefined;
  readonly page?: number | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const readGovernanceSearch = (search: Record<string, unknown>): GovernanceSearch => ({
  status: text(search.status),
  severity: text(search.severity),
  detector: text(search.detector),
  page: Number.isInteger(search.page) && Number(search.page) > 0 ? Number(search.page) : undefined,
});
