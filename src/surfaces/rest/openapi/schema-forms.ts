import { commonKeys } from '../../../../contracts/common-keys.js';
import { type SchemaObject, type Schemas } from './types.js';

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

/** Of a format that says all that an example would. */
const isUsual = ({ format }: SchemaObject): boolean => format === 'uuid' || format === 'date-time';

/** Booleans, listed values, ids and times need no example. */
const isPlain = (example: unknown, schema: SchemaObject): boolean =>
  example === undefined ||
  typeof example === 'boolean' ||
  schema.enum !== undefined ||
  isUsual(schema) ||
  isUsual((schema.items ?? {}) as SchemaObject);

/** OpenAPI 3.1 uses JSON Schema, which has `examples` instead of `example`. */
const withExamples: Visit = ({ example, ...schema }) => ({
  ...Object.fromEntries(Object.entries(schema).filter(([key, value]) => isInformative(key, value, schema))),
  ...(!isPlain(example, schema) && { examples: [example] }),
});

/** The other alternative of a schema that may be null. */
function besidesNull({ anyOf }: SchemaObject): SchemaObject | undefined {
  const others = ((anyOf ?? []) as SchemaObject[]).filter(({ type }) => type !== 'null');
  return Array.isArray(anyOf) && anyOf.length === 2 && others.length === 1 ? others[0] : undefined;
}

/** A simple type or null as two types, other alternatives with their description outside. */
const withoutNull: Visit = (schema) => {
  const { type, enum: values, const: value, description, ...other } = besidesNull(schema) ?? {};
  const { anyOf: _anyOf, ...own } = schema;
  const isSimple =
    ['string', 'integer', 'number'].includes(String(type)) && values === undefined && value === undefined;
  if (isSimple)
    return { ...other, ...(description !== undefined && { description }), ...own, type: [type, 'null'] };
  return schema.description === undefined && typeof description === 'string'
    ? { ...schema, description }
    : schema;
};

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Whether the schema has no narrower example: of what is listed or has a format. */
function takesExample(schema: SchemaObject, example: unknown): boolean {
  const types = [schema.type ?? []].flat();
  const kinds = types.map((one) => (one === 'integer' ? 'number' : one));
  const isOpen = ['examples', 'enum', 'const', 'default', 'format', 'properties'].every(
    (key) => schema[key] === undefined,
  );
  const { type: itemType = typeOf(schema), enum: values } = (schema.items ?? {}) as SchemaObject;
  const [item = schema] = Array.isArray(example) ? (example as unknown[]) : [];
  return (
    isOpen &&
    kinds.includes(typeOf(example)) &&
    [itemType].flat().includes(typeOf(item)) &&
    values === undefined
  );
}

/** Description and example of a key that says nothing of itself. A reference has those of its component. */
function describeKey(name: string, schema: SchemaObject): SchemaObject {
  const [description, example] = [commonKeys[name] ?? []].flat();
  if (schema.$ref !== undefined || besidesNull(schema)?.$ref !== undefined) return schema;
  return {
    ...schema,
    ...(schema.description === undefined && description !== undefined && { description }),
    ...(takesExample(schema, example) && { examples: [example] }),
  };
}

const describeKeys: Visit = (schema) => {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties as Schemas);
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, part]) => [name, describeKey(name, part)])),
  };
};

/** Generators make enumerations of strings from constant booleans. */
function withoutTrue(schema: SchemaObject): SchemaObject {
  const { const: value, ...other } = schema;
  return value === true ? { ...other, not: { const: false } } : schema;
}

/** Generators cannot write a list of a union, so a description has the default. */
function withoutListDefault(schema: SchemaObject): SchemaObject {
  const { default: usual, description, items, ...other } = schema;
  const isOfUnion = (items as SchemaObject | undefined)?.anyOf !== undefined;
  if (!isOfUnion || !Array.isArray(usual) || usual.length === 0) return schema;
  return { ...other, items, description: `${String(description)} Default: \`${JSON.stringify(usual)}\`.` };
}

const toJsonSchema: Visit = (schema) =>
  describeKeys(withoutNull(withoutListDefault(withoutTrue(withExamples(schema)))));

/** Responses may have additional keys in later versions. */
const allowUnknownKeys: Visit = ({ additionalProperties, ...schema }) =>
  additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };

/** Unknown keys are rejected. */
export const inputSchema = (schema: SchemaObject): SchemaObject =>
  mapSchema(schema, toJsonSchema) as SchemaObject;

export const outputSchema = (schema: SchemaObject): SchemaObject =>
  mapSchema(schema, (part) => allowUnknownKeys(toJsonSchema(part))) as SchemaObject;

export type PartVisit = (part: SchemaObject, hint: string) => SchemaObject;

const isSchema = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first value that a condition asks for. */
function caseOf(condition: unknown): string {
  const { properties = {} } = condition as {
    properties?: Record<string, { enum?: string[]; const?: string }>;
  };
  const [asked] = Object.values(properties);
  return asked?.enum?.[0] ?? asked?.const ?? 'Case';
}

/** Between the names of a place: `Entry/fields` is that property of the component, `Entry/fields/` one of its alternatives. */
export const STEP = '/';

/** A schema with its direct parts replaced. @param hint place of the schema */
export function withParts(schema: SchemaObject, hint: string, visit: PartVisit): SchemaObject {
  const parts = Object.entries(schema).map(([key, value]): [string, unknown] => {
    switch (key) {
      case 'properties':
        return [
          key,
          Object.fromEntries(
            Object.entries(value as Schemas).map(([name, part]) => [
              name,
              visit(part, `${hint}${STEP}${name}`),
            ]),
          ),
        ];
      case 'allOf':
        return [
          key,
          (value as SchemaObject[]).map((part) =>
            part.if === undefined
              ? visit(part, `${hint}Conditions`)
              : withParts(part, `${hint}${STEP}${caseOf(part.if)}`, visit),
          ),
        ];
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        return [key, (value as SchemaObject[]).map((part) => visit(part, `${hint}${STEP}`))];
      case 'then':
        return [key, withParts(value as SchemaObject, hint, visit)];
      case 'items':
        return [key, isSchema(value) ? visit(value, `${hint}Item`) : value];
      case 'additionalProperties':
        return [key, isSchema(value) ? visit(value, `${hint}Value`) : value];
      default:
        return [key, value];
    }
  });
  return Object.fromEntries(parts);
}

/** Leaves out of alternatives what is said of the schema that has them. */
const withoutRepeated: Visit = (schema) => {
  const { anyOf, description } = schema;
  if (!Array.isArray(anyOf) || description === undefined) return schema;
  const own = (anyOf as SchemaObject[]).map(({ description: inner, ...other }) =>
    inner === undefined || inner === description ? other : { ...other, description: inner },
  );
  return { ...schema, anyOf: own };
};

/** Schemas at any depth say nothing twice. */
export const withoutRepeats = <T extends object>(parts: T): T => mapSchema(parts, withoutRepeated) as T;
