/** A single subschema, a list of them, or a map by name. */
type Holding = 'one' | 'list' | 'map';

/** A keyword with subschemas. */
export interface Applicator {
  readonly holding: Holding;
  /** Whether they apply to the same value, to parts of it, or only through a `$ref`. */
  readonly applies: 'beside' | 'below' | 'never';
}

export const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['allOf', { holding: 'list', applies: 'beside' }],
  ['anyOf', { holding: 'list', applies: 'beside' }],
  ['oneOf', { holding: 'list', applies: 'beside' }],
  ['not', { holding: 'one', applies: 'beside' }],
  ['if', { holding: 'one', applies: 'beside' }],
  ['then', { holding: 'one', applies: 'beside' }],
  ['else', { holding: 'one', applies: 'beside' }],
  ['dependentSchemas', { holding: 'map', applies: 'beside' }],
  ['properties', { holding: 'map', applies: 'below' }],
  ['patternProperties', { holding: 'map', applies: 'below' }],
  ['additionalProperties', { holding: 'one', applies: 'below' }],
  ['unevaluatedProperties', { holding: 'one', applies: 'below' }],
  ['propertyNames', { holding: 'one', applies: 'below' }],
  ['items', { holding: 'one', applies: 'below' }],
  ['prefixItems', { holding: 'list', applies: 'below' }],
  ['contains', { holding: 'one', applies: 'below' }],
  ['unevaluatedItems', { holding: 'one', applies: 'below' }],
  ['$defs', { holding: 'map', applies: 'never' }],
  ['definitions', { holding: 'map', applies: 'never' }],
]);

/** Keywords that rename a schema, refer outside it, or belong to earlier drafts. */
export const refusedKeywords: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  'id',
  'dependencies',
  'additionalItems',
]);

/** The only supported dialect. */
export const dialect = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
