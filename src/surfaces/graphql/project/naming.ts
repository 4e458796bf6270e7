import { typeNameOf } from '../../../content/model/api-names.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';

/** A content type with the name of its GraphQL type. */
export interface NamedContentType {
  readonly typeName: string;
  readonly contentType: ContentTypeDefinition;
}

/**
 * The content types of a project by `apiName`, in the order of their names, so that the schema does not depend
 * on the order in which they were made. Writes refuse names that collide; should two, the first one stands.
 */
export function namedTypes(catalog: Catalog): NamedContentType[] {
  const byTypeName = new Map<string, NamedContentType>();
  const sorted = [...catalog.data.contentTypes].sort((a, b) => (a.apiName < b.apiName ? -1 : 1));
  for (const contentType of sorted) {
    const typeName = typeNameOf(contentType.apiName);
    if (!byTypeName.has(typeName)) byTypeName.set(typeName, { typeName, contentType });
  }
  return [...byTypeName.values()];
}

/** Root field that lists a content type (specification 4.2). */
export const collectionFieldName = (apiName: string): string => `${apiName}Collection`;

/** Union of what a field may refer to. Type names have no `_`, so this is nobody else's name. */
export const unionTypeName = (typeName: string, fieldApiName: string): string =>
  `${typeName}_${fieldApiName}`;
