import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../../content/catalog.js';
import { kindOf, type Comparison } from '../../../../content/field-kinds/index.js';
import { conditionsOf, type Condition, type FilterInput } from '../../../publishing/delivery/index.js';

/** @throws AppError 404 `content_type_not_found` */
export function resolveTypeIds(
  catalog: Catalog,
  names: readonly string[] | undefined,
): readonly string[] | null {
  if (names === undefined) return null;
  return names.map((name) => {
    const type = catalog.contentType(name);
    if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
    return type.id;
  });
}

const FIELD = 'fields.';

/**
 * The only type of a list or search, whose fields it may name.
 * @throws AppError 422 without one, 404 `content_type_not_found`
 */
export function typeOfFields(
  catalog: Catalog,
  names: readonly string[] | undefined,
  path: readonly (string | number)[],
): ContentTypeDefinition {
  const [name, ...others] = names ?? [];
  if (name === undefined || others.length > 0) {
    const message = 'Fields require exactly one contentTypeApiName.';
    throw invalidInput({ path, code: 'content_type_required', message });
  }
  const type = catalog.contentType(name);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  return type;
}

/**
 * The field that a sort key such as `fields.size` names.
 * @throws AppError 422 if it has no order
 */
export function sortedField(
  key: string,
  fieldOf: (apiName: string) => FieldDefinition | undefined,
  path: readonly string[],
): { readonly field: FieldDefinition; readonly comparison: Comparison } {
  const apiName = key.slice(FIELD.length);
  const field = fieldOf(apiName);
  if (field === undefined)
    throw invalidInput({ path, code: 'unknown_field', message: `Unknown field ${apiName}.` });
  const { comparison } = kindOf(field);
  if (comparison === null || field.isList)
    throw invalidInput({ path, code: 'invalid_sort', message: `${apiName} has no order.` });
  return { field, comparison };
}

/** Order by a field of one type. */
export interface FieldOrder {
  readonly contentTypeId: string;
  readonly apiName: string;
  readonly isLocalized: boolean;
  readonly comparison: Comparison;
  readonly isAscending: boolean;
}

type SystemOrder = `${'createdAt' | 'updatedAt' | 'title'}:${'asc' | 'desc'}`;
export type EntryOrder = SystemOrder | FieldOrder;

/** A condition on entries of one type. */
export interface EntryCondition {
  readonly contentTypeId: string;
  readonly condition: Condition;
  /** Fields of the type that have a value for each locale. */
  readonly localized: readonly string[];
}

/** Whether every value of a field is read to find those that match. */
export const isSearch = ({ condition }: { readonly condition: Condition }): boolean =>
  'combine' in condition
    ? condition.parts.some((part) => isSearch({ condition: part }))
    : condition.operator === 'contains';

export function entryConditions(
  { id: contentTypeId, fields }: ContentTypeDefinition,
  conditions: readonly Condition[],
): EntryCondition[] {
  const localized = fields.filter((field) => field.localized).map(({ apiName }) => apiName);
  return conditions.map((condition) => ({ contentTypeId, condition, localized }));
}

interface FieldInput {
  readonly contentTypeApiName?: readonly string[] | undefined;
  readonly filter?: FilterInput | undefined;
  readonly orderBy?: string | undefined;
}

/** @throws AppError 404 `content_type_not_found`; 422 for fields without one type, unknown ones and those without order */
export function resolveFields(
  catalog: Catalog,
  { contentTypeApiName, filter = {}, orderBy = 'updatedAt:desc' }: FieldInput,
): { readonly conditions: readonly EntryCondition[]; readonly orderBy: EntryOrder } {
  const typeFor = (key: string) => typeOfFields(catalog, contentTypeApiName, [key]);
  const fieldOf = (type: ContentTypeDefinition, name: string) =>
    type.fields.find(({ apiName }) => apiName === name);
  return {
    conditions:
      Object.keys(filter).length === 0
        ? []
        : entryConditions(typeFor('filter'), conditionsOf(typeFor('filter'), filter)),
    orderBy: orderBy.startsWith(FIELD) ? fieldOrder(orderBy) : (orderBy as SystemOrder),
  };

  function fieldOrder(order: string): FieldOrder {
    const [key = '', direction] = order.split(':');
    const type = typeFor('orderBy');
    const { field, comparison } = sortedField(key, (name) => fieldOf(type, name), ['orderBy']);
    const { apiName, localized: isLocalized } = field;
    return { contentTypeId: type.id, apiName, isLocalized, comparison, isAscending: direction === 'asc' };
  }
}

export function resolveSiteIds(
  catalog: Catalog,
  ids: readonly string[] | undefined,
): readonly string[] | null {
  if (ids === undefined) return null;
  return ids.map((id) => {
    const site = catalog.site(id.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
    return site.id;
  });
}

/**
 * @param key of the input that names the locale
 * @throws AppError 404 `locale_not_found` if the tenant lacks the locale
 */
export function resolveLocale(catalog: Catalog, locale: string | undefined, key = 'locale'): string | null {
  if (locale === undefined) return null;
  if (catalog.locale(locale) === undefined) throw new AppError('locale_not_found', { path: [key], locale });
  return locale;
}

/** Entries in these states. */
export interface StateFilter {
  readonly keys: readonly string[];
  /** Types and sites whose base state is one of them; `all` if every workflow's is. */
  readonly based: 'all' | readonly { readonly contentTypeId: string; readonly siteId: string }[];
}

export function resolveStates(catalog: Catalog, keys: readonly string[] | undefined): StateFilter | null {
  if (keys === undefined) return null;
  const { contentTypes, sites } = catalog.data;
  const places = contentTypes.flatMap(({ id: contentTypeId }) =>
    sites.map(({ id: siteId }) => ({ contentTypeId, siteId })),
  );
  const based = places.filter((place) => keys.includes(catalog.workflowOf(place)?.baseState ?? ''));
  return { keys, based: based.length === places.length && places.length > 0 ? 'all' : based };
}

interface StateSql {
  /** Test of the stored state for the base state. */
  readonly base: string;
  /** Alias of the row with type and site. */
  readonly place: string;
  readonly value: (given: unknown) => string;
}

/** SQL of a filter by states. */
export function stateCondition(
  { keys, based }: StateFilter,
  alias: string,
  { base, place, value }: StateSql,
): string {
  const stored = `${alias}.workflow_state`;
  const entered =
    keys.length === 1 ? `${stored} = ${value(keys[0])}` : `${stored} = ANY(${value(keys)}::text[])`;
  if (based !== 'all' && based.length === 0) return entered;
  const types = () => value(based === 'all' ? [] : based.map(({ contentTypeId }) => contentTypeId));
  const sites = () => value(based === 'all' ? [] : based.map(({ siteId }) => siteId));
  const isPlaced =
    based === 'all'
      ? ''
      : `AND (${place}.content_type_id, ${place}.site_id) IN (SELECT * FROM unnest(${types()}::uuid[], ${sites()}::uuid[]))`;
  return `(${entered} OR (${stored} ${base} ${isPlaced}))`;
}
