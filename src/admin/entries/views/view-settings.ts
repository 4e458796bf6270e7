import { entryColumns } from '../../../../contracts/access/views/saved-view.js';
import type { Outputs } from '../../api/client.js';
import { localesOf, typeOf, type Project } from '../../api/project-data.js';
import {
  apiFilterOf,
  fieldFiltersOf,
  listOrders,
  orderedField,
  orderOf,
  statusOf,
  type ListSearch,
} from '../list-search.js';

export type SavedView = Outputs['views']['get']['data'];
type Filters = SavedView['filters'];

/** What a view saves of a list. */
export type ViewSettings = Pick<SavedView, 'filters' | 'columns' | 'orderBy'>;

/** Filters of the API by their keys in the address. */
const filterKeys = {
  type: 'contentTypeApiName',
  site: 'siteId',
  status: 'status',
  locale: 'locale',
  q: 'q',
  author: 'updatedBy',
} as const;

/** Those that the API takes several values of. */
const lists: ReadonlySet<string> = new Set([
  filterKeys.type,
  filterKeys.site,
  filterKeys.status,
  filterKeys.author,
]);

/** Columns that are not fields. */
const ownColumns: readonly string[] = entryColumns;
const FIELD = 'fields.';

const valuesOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const textsOf = (value: unknown): string[] =>
  valuesOf(value).filter((one): one is string => typeof one === 'string');

/** The only value of a filter. */
function single(filters: Filters, key: string): string | undefined {
  const [first, ...others] = textsOf(filters[key]);
  return others.length === 0 ? first : undefined;
}

/** Fields among the columns of a view; other clients may save their names alone. */
const fieldColumns = (columns: readonly string[]): string[] =>
  columns
    .filter((name) => !ownColumns.includes(name))
    .map((name) => (name.startsWith(FIELD) ? name.slice(FIELD.length) : name));

/** A view as filters of the list. */
export function searchOf({ filters, columns, orderBy }: ViewSettings): ListSearch {
  return {
    type: single(filters, filterKeys.type),
    site: single(filters, filterKeys.site),
    status: statusOf(single(filters, filterKeys.status)),
    locale: single(filters, filterKeys.locale),
    q: single(filters, filterKeys.q),
    author: single(filters, filterKeys.author),
    order: orderOf(orderBy),
    where: fieldFiltersOf(filters.filter),
    columns: columns.length === 0 ? undefined : fieldColumns(columns),
    ...(filters.deleted === true && { deleted: true }),
  };
}

/** Filters that the list has no control for. They apply as long as the view is chosen. */
export function furtherFilters(view: ViewSettings): Filters {
  const shown = searchOf(view);
  const controlled = Object.entries(filterKeys).flatMap(([key, filter]) =>
    shown[key as keyof typeof filterKeys] === undefined ? [] : [filter as string],
  );
  if (shown.deleted === true) controlled.push('deleted');
  if (shown.where !== undefined) controlled.push('filter');
  return Object.fromEntries(Object.entries(view.filters).filter(([key]) => !controlled.includes(key)));
}

/**
 * What the list shows, to be saved.
 * @param columns fields that are shown; undefined without a content type
 */
export function settingsOf(
  search: ListSearch,
  columns: readonly string[] | undefined,
  further: Filters,
): ViewSettings {
  const chosen = Object.entries(filterKeys).flatMap(([key, filter]): [string, unknown][] => {
    const value = search[key as keyof typeof filterKeys];
    return value === undefined ? [] : [[filter, lists.has(filter) ? [value] : value]];
  });
  const fields = columns?.map((name) => FIELD + name);
  return {
    filters: {
      ...further,
      ...Object.fromEntries(chosen),
      ...(search.deleted === true && { deleted: true }),
      ...(search.where !== undefined && { filter: apiFilterOf(search.where) }),
    },
    columns: fields === undefined ? [] : ['title', ...fields, 'status', 'locales', 'updatedAt'],
    orderBy: search.order ?? null,
  };
}

function comparable({ order = listOrders[0], where = [], ...search }: ListSearch): string {
  const { type, site, status, locale, q, author, columns, deleted } = search;
  const filters = Object.entries(apiFilterOf(where)).sort();
  return JSON.stringify([type, site, status, locale, q, author, order, columns, deleted, filters]);
}

export const isSameList = (one: ListSearch, other: ListSearch): boolean =>
  comparable(one) === comparable(other);

/** Whether nothing is filtered, ordered or chosen. */
export const isPlain = (search: ListSearch): boolean => isSameList(search, {});

/** Names in a view that mean nothing any more. */
export interface MissingNames {
  readonly types: readonly string[];
  readonly fields: readonly string[];
  /** Those of the fields that filter or sort. */
  readonly compared: readonly string[];
  readonly sites: readonly string[];
  readonly locales: readonly string[];
}

const SYSTEM = '_';

/** Fields that a view filters and sorts by. */
function comparedFields({ filters, orderBy }: ViewSettings): string[] {
  const filtered = Object.keys(filters.filter ?? {}).filter((name) => !name.startsWith(SYSTEM));
  return [...filtered, ...[orderedField(orderOf(orderBy))].filter((name) => name !== undefined)];
}

export function missingIn(view: ViewSettings, project: Project): MissingNames {
  const { filters, columns } = view;
  const types = textsOf(filters[filterKeys.type]);
  const [first = '', ...others] = types;
  const type = others.length === 0 ? typeOf(project, first) : undefined;
  const fields = type?.fields.map(({ apiName }) => apiName);
  const siteIds = project.sites.map(({ id }) => id);
  const isMissing = (name: string): boolean => fields?.includes(name) === false;
  const compared = comparedFields(view).filter(isMissing);
  return {
    types: types.filter((name) => typeOf(project, name) === undefined),
    fields: [...new Set([...fieldColumns(columns).filter(isMissing), ...compared])],
    compared,
    sites: textsOf(filters[filterKeys.site]).filter((id) => !siteIds.includes(id)),
    locales: textsOf(filters[filterKeys.locale]).filter((code) => !localesOf(project).includes(code)),
  };
}

/** The list would be refused with such names. */
export const isBroken = ({ types, compared, sites, locales }: MissingNames): boolean =>
  [types, compared, sites, locales].some((names) => names.length > 0);

/** The view without the names that are missing. */
export function withoutMissing(
  { filters, columns, orderBy }: ViewSettings,
  missing: MissingNames,
): ViewSettings {
  const { types, fields, compared, sites, locales } = missing;
  const kept = Object.entries(filters.filter ?? {}).filter(([name]) => !compared.includes(name));
  const without = (key: string, names: readonly string[]): [string, unknown][] => {
    const value = filters[key];
    if (value === undefined || names.length === 0) return value === undefined ? [] : [[key, value]];
    const left = textsOf(value).filter((name) => !names.includes(name));
    return left.length === 0 ? [] : [[key, left]];
  };
  const { contentTypeApiName: _type, siteId: _site, locale: _locale, filter: _filter, ...rest } = filters;
  return {
    filters: {
      ...rest,
      ...(kept.length > 0 && { filter: Object.fromEntries(kept) }),
      ...Object.fromEntries([
        ...without(filterKeys.type, types),
        ...without(filterKeys.site, sites),
        ...without(filterKeys.locale, locales),
      ]),
    },
    columns: columns.filter((name) => !fieldColumns([name]).some((field) => fields.includes(field))),
    orderBy: compared.includes(orderedField(orderOf(orderBy)) ?? '') ? null : orderBy,
  };
}
