import type { SchemaObject, Schemas } from './types.js';

type Visit = (schema: Record<string, unknown>) => Record<string, unknown>;

/** Objects whose members are names of the schema's author, not keywords. */
const namesOf: ReadonlySet<string> = new Set(['properties', '$defs', 'schemas']);
/** Keywords whose values are data. */
const dataOf: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

function mapped(value: unknown, visit: Visit, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, visit));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    !isNames && dataOf.has(key) ? (part as unknown) : mapped(part, visit, !isNames && namesOf.has(key)),
  ]);
  const copy = Object.fromEntries(parts) as Record<string, unknown>;
  return isNames ? copy : visit(copy);
}

/** Keywords that repeat what stands beside them: names are texts, a format is no pattern, integers are safe. */
const says = (key: string, value: unknown, schema: Record<string, unknown>): boolean =>
  key !== 'propertyNames' &&
  !(key === 'pattern' && schema.format !== undefined) &&
  value !== Number.MAX_SAFE_INTEGER &&
  value !== Number.MIN_SAFE_INTEGER;

/** In 3.1 schemas are JSON Schema: `examples` is its word for examples. */
const plain: Visit = ({ example, ...schema }) => ({
  ...Object.fromEntries(Object.entries(schema).filter(([key, value]) => says(key, value, schema))),
  ...(example !== undefined && { examples: [example] }),
});

/** Answers may gain keys in later versions, so clients must not count on there being no others. */
const opened: Visit = ({ additionalProperties, ...schema }) =>
  additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };

/** The schema of something sent: unknown keys are refused. */
export const inputSchema = (schema: SchemaObject): SchemaObject => mapped(schema, plain) as SchemaObject;

/** The schema of something answered. */
export const outputSchema = (schema: SchemaObject): SchemaObject =>
  mapped(schema, (part) => opened(plain(part))) as SchemaObject;

/** Names of the components that a part of the document points to. */
export function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
}

/** Names that are reached from `names`, themselves included. */
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
