import type { SchemaObject, Schemas } from './types.js';

type Visit = (schema: Record<string, unknown>) => Record<string, unknown>;

/** Keywords whose keys are names, not keywords. */
const namesOf: ReadonlySet<string> = new Set(['properties', '$defs', 'schemas']);
/** Keywords whose values are data. */
const dataOf: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

function mapSchema(value: unknown, visit: Visit, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapSchema(item, visit));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    !isNames && dataOf.has(key) ? (part as unknown) : mapSchema(part, visit, !isNames && namesOf.has(key)),
  ]);
  const copy = Object.fromEntries(parts) as Record<string, unknown>;
  return isNames ? copy : visit(copy);
}

/** False for redundant keywords of the generator. */
const isInformative = (key: string, value: unknown, schema: Record<string, unknown>): boolean =>
  key !== 'propertyNames' &&
  !(key === 'pattern' && schema.format !== undefined) &&
  value !== Number.MAX_SAFE_INTEGER &&
  value !== Number.MIN_SAFE_INTEGER;

/** OpenAPI 3.1 uses JSON Schema, which has `examples` instead of `example`. */
const toJsonSchema: Visit = ({ example, ...schema }) => ({
  ...Object.fromEntries(Object.entries(schema).filter(([key, value]) => isInformative(key, value, schema))),
  ...(example !== undefined && { examples: [example] }),
});

/** Responses may have additional keys in later versions. */
const allowUnknownKeys: Visit = ({ additionalProperties, ...schema }) =>
  additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };

/** Unknown keys are rejected. */
export const inputSchema = (schema: SchemaObject): SchemaObject => mapSchema(schema, toJsonSchema) as SchemaObject;

export const outputSchema = (schema: SchemaObject): SchemaObject =>
  mapSchema(schema, (part) => allowUnknownKeys(toJsonSchema(part))) as SchemaObject;

/** Names of the component schemas that a value references. */
export function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
}

/** Schemas reachable from `names`, including themselves. */
export function reachedFrom(names: readonly string[], schemas: Schemas): Set<string> {
  const reached = new Set<string>();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.pop() ?? '';
    if (reached.has(name)) continue;
    reached.add(name);
    queue.push(...referencesIn(schemas[name] ?? {}));
  }
  return reached;
}
