/** GraphQL names of the service's own types and of the built-in scalars. */
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

/** Root fields of GraphQL as {@link typeNameOf} spells them; types of these names would be confusing in queries. */
const rootFieldTypeNames: ReadonlySet<string> = new Set(['Entry', 'Asset', 'EntryBySlug', 'ResolveRoute']);

/**
 * The GraphQL type name of a content type: the parts between `_`, capitalized and joined (`blog_post`, `blogPost` →
 * `BlogPost`). The caller must reject collisions.
 */
export function typeNameOf(apiName: string): string {
  return apiName
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

export function isSystemTypeName(typeName: string): boolean {
  return systemTypeNames.has(typeName);
}

/**
 * Whether a content type's GraphQL type would have a name of the service's own, or that of a collection
 * (`{Type}Collection`). Names are compared as type names, in any spelling.
 */
export function isReservedTypeName(apiName: string): boolean {
  const typeName = typeNameOf(apiName);
  return systemTypeNames.has(typeName) || rootFieldTypeNames.has(typeName) || typeName.endsWith('Collection');
}

/**
 * GraphQL reserves `__`; a name that every object inherits (`constructor`, `toString` …) would read as set in each
 * record that omits it.
 */
export function isReservedFieldName(apiName: string): boolean {
  return apiName.startsWith('__') || apiName === 'prototype' || apiName in Object.prototype;
}
