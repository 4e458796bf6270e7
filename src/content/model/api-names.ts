/** GraphQL system types and built-in scalars. */
export const systemTypeNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'ContentEntry',
  'MediaAsset',
  'RichTextLink',
  'RouteResolution',
  'SearchHit',
  'SearchSuggestion',
  'SiteRedirect',
  'SiteTreeNode',
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

/** Root fields in the spelling of {@link typeNameOf}. */
const rootFieldTypeNames: ReadonlySet<string> = new Set(['Entry', 'Asset', 'EntryBySlug', 'ResolveRoute']);

/** `blog_post` and `blogPost` → `BlogPost`. The caller must reject collisions. */
export function typeNameOf(apiName: string): string {
  return apiName
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

export function isSystemTypeName(typeName: string): boolean {
  return systemTypeNames.has(typeName);
}

/** Whether the GraphQL type would collide with a system type or a collection (`{Type}Collection`). */
export function isReservedTypeName(apiName: string): boolean {
  const typeName = typeNameOf(apiName);
  return systemTypeNames.has(typeName) || rootFieldTypeNames.has(typeName) || typeName.endsWith('Collection');
}

/** GraphQL reserves `__`; inherited names (`constructor` …) would read as set in every object. */
export function isReservedFieldName(apiName: string): boolean {
  return apiName.startsWith('__') || apiName === 'prototype' || apiName in Object.prototype;
}

/** Default display name of a field: "bodyText" becomes "Body text". */
export function nameOfField(apiName: string): string {
  const words = apiName
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
