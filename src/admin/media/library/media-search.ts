import { textValue } from '../../ui/search-values.js';

export const mediaKinds = ['image', 'video', 'audio', 'application', 'text'] as const;
type MediaKind = (typeof mediaKinds)[number];

export const mediaOrders = ['updatedAt:desc', 'createdAt:desc', 'name:asc', 'name:desc'] as const;
type MediaOrder = (typeof mediaOrders)[number];

/** What the library shows, which is in the address. */
export interface MediaSearch {
  readonly folder?: string | undefined;
  readonly kind?: MediaKind | undefined;
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  readonly unused?: true | undefined;
  /** A locale. */
  readonly missingAlt?: string | undefined;
  readonly order?: MediaOrder | undefined;
  readonly view?: 'list' | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textValue(value, 100);

/** Addresses are typed by people: what is not a filter is ignored. */
export const readMediaSearch = (given: Record<string, unknown>): MediaSearch => ({
  folder: text(given.folder),
  kind: mediaKinds.find((kind) => kind === given.kind),
  tag: text(given.tag),
  q: text(given.q),
  unused: given.unused === true ? true : undefined,
  missingAlt: text(given.missingAlt),
  order: mediaOrders.find((order) => order === given.order),
  view: given.view === 'list' ? 'list' : undefined,
});

/** Whether less than the folder is shown. */
export const isFiltered = ({ kind, tag, q, unused, missingAlt }: MediaSearch): boolean =>
  [kind, tag, q, unused, missingAlt].some((value) => value !== undefined);
