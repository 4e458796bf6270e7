import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import {
  systemFacets,
  systemSortKeys,
  type SearchFacet,
  type SearchSort,
  type SystemFacet,
  type SystemSortKey,
} from './search-index.js';

const FIELD = 'fields.';

function refuse(path: readonly (string | number)[], code: string, message: string): never {
  throw invalidInput({ path, code, message });
}

/**
 * The only type of a search, whose fields it may name.
 * @throws AppError 422 without one, 404 `content_type_not_found`
 */
export function typeOfFields(
  catalog: Catalog,
  names: readonly string[] | undefined,
  path: readonly (string | number)[],
): ContentTypeDefinition {
  const [name, ...others] = names ?? [];
  if (name === undefined || others.length > 0)
    return refuse(path, 'content_type_required', 'Fields require exactly one contentTypeApiName.');
  const type = catalog.contentType(name);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  return type;
}

type FieldOf = (apiName: string) => FieldDefinition | undefined;

function isSystemKey<const K extends string>(keys: readonly K[], name: string): name is K {
  return (keys as readonly string[]).includes(name);
}

/** @throws AppError 422 */
export function sortOf(sort: string | undefined, fieldOf: FieldOf): SearchSort | null {
  if (sort === undefined) return null;
  const [key = '', direction] = sort.split(':');
  const isAscending = direction === 'asc';
  if (isSystemKey<SystemSortKey>(systemSortKeys, key)) return { key, isAscending };
  const unknown = `Results are not sorted by ${key}. Use ${systemSortKeys.join(', ')} or fields.{apiName}.`;
  if (!key.startsWith(FIELD)) return refuse(['sort'], 'unknown_sort', unknown);
  const apiName = key.slice(FIELD.length);
  const field = fieldOf(apiName);
  if (field === undefined) return refuse(['sort'], 'unknown_field', `Unknown field ${apiName}.`);
  const { comparison } = kindOf(field);
  if (comparison === null || field.isList)
    return refuse(['sort'], 'invalid_sort', `${apiName} has no order.`);
  return { apiName, comparison, isAscending };
}

/** @throws AppError 422 */
export function facetsOf(
  names: readonly string[] | undefined,
  fieldOf: FieldOf,
  known: readonly SystemFacet[] = systemFacets,
): SearchFacet[] {
  return (names ?? []).map((name, index) => {
    if (isSystemKey(known, name)) return { name };
    const path = ['facets', index];
    const unknown = `Unknown facet. Use ${known.join(', ')} or fields.{apiName}.`;
    if (!name.startsWith(FIELD)) return refuse(path, 'unknown_facet', unknown);
    const apiName = name.slice(FIELD.length);
    const field = fieldOf(apiName);
    if (field === undefined) return refuse(path, 'unknown_field', `Unknown field ${apiName}.`);
    const { comparison } = kindOf(field);
    if (comparison === null || comparison === 'link')
      return refuse(path, 'invalid_facet', `Values of ${apiName} are not counted.`);
    return { apiName, isList: field.isList };
  });
}

/** The name of a facet in requests and results. */
export const facetName = (facet: SearchFacet): string =>
  'name' in facet ? facet.name : `${FIELD}${facet.apiName}`;
