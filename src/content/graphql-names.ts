import { isSystemTypeName, typeNameOf } from './model/api-names.js';
import type { Catalog, CustomFieldTypeDefinition } from './catalog.js';
import { shapeOf, typeNamesIn, type ValueShape } from './json-schema/shape.js';

interface NameHolder {
  readonly kind: 'system' | 'content_type' | 'custom_field_type';
  /** Null for system types. */
  readonly apiName: string | null;
}

export interface NameClash {
  readonly typeName: string;
  readonly holder: NameHolder;
}

export const collectionTypeName = (typeName: string): string => `${typeName}Collection`;

/** JSON unless the custom type has a type name (rule graphql/types). */
export function shapeOfCustomType({ graphqlTypeName, jsonSchema }: CustomFieldTypeDefinition): ValueShape {
  return graphqlTypeName === null ? { kind: 'json' } : shapeOf(jsonSchema, graphqlTypeName);
}

/** Includes the type's own name even if its schema defines no such type. */
function namesOfCustomType(type: CustomFieldTypeDefinition): string[] {
  if (type.graphqlTypeName === null) return [];
  const derived = typeNamesIn(shapeOfCustomType(type));
  return derived[0] === type.graphqlTypeName ? derived : [type.graphqlTypeName, ...derived];
}

const namesOfContentType = (apiName: string): string[] => {
  const typeName = typeNameOf(apiName);
  return [typeName, collectionTypeName(typeName)];
};

/** The first name of a custom type that is taken or used twice. */
export function customTypeClash(catalog: Catalog, type: CustomFieldTypeDefinition): NameClash | undefined {
  const own: NameHolder = { kind: 'custom_field_type', apiName: type.apiName };
  const taken = new Map<string, NameHolder>();
  for (const { apiName } of catalog.data.contentTypes)
    for (const name of namesOfContentType(apiName)) taken.set(name, { kind: 'content_type', apiName });
  for (const other of catalog.data.customFieldTypes.filter(({ apiName }) => apiName !== type.apiName))
    for (const name of namesOfCustomType(other))
      taken.set(name, { kind: 'custom_field_type', apiName: other.apiName });
  for (const typeName of namesOfCustomType(type)) {
    const system: NameHolder | undefined = isSystemTypeName(typeName)
      ? { kind: 'system', apiName: null }
      : undefined;
    const holder = system ?? taken.get(typeName);
    if (holder !== undefined) return { typeName, holder };
    taken.set(typeName, own);
  }
  return undefined;
}

/** The first name of a content type that a custom type uses. */
export function contentTypeClash(catalog: Catalog, apiName: string): NameClash | undefined {
  const wanted = namesOfContentType(apiName);
  for (const type of catalog.data.customFieldTypes) {
    const names = namesOfCustomType(type);
    const typeName = wanted.find((name) => names.includes(name));
    if (typeName !== undefined)
      return { typeName, holder: { kind: 'custom_field_type', apiName: type.apiName } };
  }
  return undefined;
}
