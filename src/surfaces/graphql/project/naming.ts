import { isSystemTypeName, typeNameOf } from '../../../content/model/api-names.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';

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

/** No other type name contains `_`. */
export const unionTypeName = (typeName: string, fieldApiName: string): string =>
  `${typeName}_${fieldApiName}`;
