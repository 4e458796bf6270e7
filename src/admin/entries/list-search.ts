import { textValue } from '../ui/search-values.js';

const statuses = ['draft', 'published', 'changed'] as const;
export type Status = (typeof statuses)[number];

/** The filters of the list, which are in the address. */
export interface ListSearch {
  readonly type?: string | undefined;
  readonly site?: string | undefined;
  readonly locale?: string | undefined;
  readonly status?: Status | undefined;
  readonly q?: string | undefined;
}

/** Addresses are typed by people: what is not a filter is ignored. */
export const readListSearch = ({ type, site, locale, status, q }: Record<string, unknown>): ListSearch => ({
  type: textValue(type),
  site: textValue(site),
  locale: textValue(locale),
  status: statuses.find((one) => one === status),
  q: typeof q === 'number' ? String(q) : textValue(q)?.slice(0, 200),
});

export const allStatuses = statuses;
