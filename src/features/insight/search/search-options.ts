import { invalidInput } from '../../../../contracts/errors.js';
import type { FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { sortedField } from '../../entries/entries/index.js';
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
  const { field, comparison } = sortedField(key, fieldOf, ['sort']);
  return { apiName: field.apiName, comparison, isAscending };
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
