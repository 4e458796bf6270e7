import { isSystemTypeName, typeNameOf } from '../../../content/model/api-names.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { kindOf, type GraphqlValueType } from '../../../content/field-kinds/index.js';
import { isGroup } from '../../../content/model/field-definition.js';

export interface NamedContentType {
  readonly typeName: string;
  readonly contentType: ContentTypeDefinition;
}

/**
 * Sorted by `apiName`, independent of creation order. Writes reject colliding type names; otherwise the first
 * wins.
 */
export function namedTypes(catalog: Catalog): NamedContentType[] {
  const byTypeName = new Map<string, NamedContentType>();
  const sorted = [...catalog.data.contentTypes].sort((a, b) => (a.apiName < b.apiName ? -1 : 1));
  for (const contentType of sorted) {
    const typeName = typeNameOf(contentType.apiName);
    // A name can have become a system type's after it was given.
    if (!byTypeName.has(typeName) && !isSystemTypeName(typeName))
      byTypeName.set(typeName, { typeName, contentType });
  }
  return [...byTypeName.values()];
}

/** Of the union or enum of a field. No other name of an output contains `_`. */
export const memberTypeName = (typeName: string, fieldApiName: string): string =>
  `${typeName}_${fieldApiName}`;

const values: Readonly<Record<GraphqlValueType | 'date' | 'time', readonly [one: string, several: string]>> =
  {
    String: ['a string', 'strings'],
    Float: ['a number', 'numbers'],
    Boolean: ['true or false', 'booleans'],
    JSON: ['a JSON value', 'JSON values'],
    RichText: ['rich text', 'rich text values'],
    Location: ['a place on Earth', 'places on Earth'],
    ContentEntry: ['a reference to an entry', 'entries'],
    MediaAsset: ['an asset', 'assets'],
    date: ['a date, such as 2026-03-01', 'dates, such as 2026-03-01'],
    time: ['a time, ISO 8601', 'times, ISO 8601'],
  };

/** The help text of a field, or else its name and what it has. */
export function describeField(field: FieldDefinition): string {
  if (field.description) return field.description;
  const { comparison, graphqlType, isAlwaysList } = kindOf(field);
  const [one, several] = values[comparison === 'date' || comparison === 'time' ? comparison : graphqlType];
  const isList = (field.isList || isAlwaysList) && !isGroup(field);
  return `${field.name || field.apiName}: ${isList ? `a list of ${several}` : one}.`;
}

export const describeType = ({ name, apiName, description, isBlock }: ContentTypeDefinition): string =>
  description || `${isBlock ? 'A block' : 'An entry'} of the content type "${name || apiName}".`;
