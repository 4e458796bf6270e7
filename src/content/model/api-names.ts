/** GraphQL names that the service itself declares, and those of the built-in scalars. */
const systemTypeNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'ContentEntry',
  'MediaAsset',
  'RouteResolution',
  'RichText',
  'Location',
  'JSON',
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
  'DateTime',
]);

/** Root fields of GraphQL, in the spelling of {@link typeNameOf}: a type named like one would make queries ambiguous to read. */
const rootFieldTypeNames: ReadonlySet<string> = new Set(['Entry', 'Asset', 'EntryBySlug', 'ResolveRoute']);

/**
 * The GraphQL type name of a content type: parts at `_` and at changes of case, each with a
 * capital first, joined; the rest of each part stays as it is (`blog_post`, `blogPost` → `BlogPost`).
 * Different names can give the same one, which is a collision for the caller to refuse.
 */
export function typeNameOf(apiName: string): string {
  return apiName
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

/** Whether GraphQL has a type of this name in every project. */
export function isSystemTypeName(typeName: string): boolean {
  return systemTypeNames.has(typeName);
}

/**
 * Whether a content type cannot have this name: its GraphQL type would be one of the service's own,
 * or look like another type's collection (`{Type}Collection`). Names are compared as type names, so
 * that no spelling of a reserved one slips through.
 */
export function isReservedTypeName(apiName: string): boolean {
  const typeName = typeNameOf(apiName);
  return systemTypeNames.has(typeName) || rootFieldTypeNames.has(typeName) || typeName.endsWith('Collection');
}

/**
 * Whether a field cannot have this name. GraphQL keeps `__` for itself; a name that every object
 * inherits (`constructor`, `toString` …) would read as set in each record that leaves it out.
 */
export function isReservedFieldName(apiName: string): boolean {
  return apiName.startsWith('__') || apiName === 'prototype' || apiName in Object.prototype;
}
