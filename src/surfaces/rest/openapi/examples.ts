import type { SchemaObject, Schemas } from './types.js';

const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

/** Samples by property name. */
const samplesByName: Readonly<Record<string, unknown>> = {
  _ref: id,
  _slug: 'the-upper-lock',
  _type: 'article',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  apiName: 'article',
  contentTypeApiName: 'article',
  code: 'en-US',
  defaultLocale: 'en-US',
  email: 'admin@example.com',
  environment: 'main',
  fieldApiName: 'title',
  fields: { title: 'The upper lock' },
  lastFour: 'x7Qd',
  locale: 'en-US',
  _locale: 'en-US',
  locales: 'en-US',
  name: 'The river',
  prefix: 'hwm_',
  secret: 'hwm_0Xk…',
  slug: 'the-upper-lock',
  title: 'The upper lock',
};

const samplesByFormat: Readonly<Record<string, unknown>> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  uuid: id,
  email: 'admin@example.com',
  uri: 'https://www.example.com',
};

/** Properties whose sample is null if they are nullable. */
const usuallyNull: ReadonlySet<string> = new Set([
  'assigneeId',
  'deletedAt',
  'expiresAt',
  'group',
  'revokedAt',
  'treeNodeId',
  'treeParentId',
  'workflow',
]);
const usuallyTrue: ReadonlySet<string> = new Set(['isActive', 'isDefault', 'isLocalized']);

/** The alternatives of a schema, without null. */
function choicesOf(schema: SchemaObject): { choices: SchemaObject[]; isNullable: boolean } {
  const types = [schema.type ?? []].flat();
  const listed = (schema.anyOf ??
    schema.oneOf ??
    types.map((type) => ({ ...schema, type }))) as SchemaObject[];
  const choices = listed.filter(({ type }) => type !== 'null');
  return { choices, isNullable: choices.length < listed.length };
}

function sampleOfString(schema: SchemaObject, name: string): unknown {
  const byFormat = samplesByFormat[String(schema.format)];
  if (byFormat !== undefined) return byFormat;
  if (/(?:^_?id$|Id$|Ids$)/.test(name)) return id;
  const byName = samplesByName[name];
  return typeof byName === 'string' ? byName : 'text';
}

function sampleOfObject(schema: SchemaObject, schemas: Schemas, name: string): unknown {
  const properties = (schema.properties ?? {}) as Record<string, SchemaObject>;
  const byName = samplesByName[name];
  if (Object.keys(properties).length === 0) return typeof byName === 'object' ? byName : {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, part]) => [key, sampleOf(part, schemas, key)]),
  );
}

/** The example, or a value that the schema determines. */
function declaredSample(schema: SchemaObject): unknown {
  const [example] = (schema.examples ?? []) as unknown[];
  const [value] = (schema.enum ?? []) as unknown[];
  return example ?? schema.const ?? schema.default ?? value;
}

function sampleOfType(schema: SchemaObject, schemas: Schemas, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return sampleOfObject(schema, schemas, name);
    case 'array':
      return schema.maxItems === 0 ? [] : [sampleOf((schema.items ?? {}) as SchemaObject, schemas, name)];
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return usuallyTrue.has(name);
    case 'string':
      return sampleOfString(schema, name);
    default:
      return null;
  }
}

/** A value that matches a schema, built from the examples of its parts. */
export function sampleOf(schema: SchemaObject, schemas: Schemas, name = ''): unknown {
  const declared = declaredSample(schema);
  if (declared !== undefined) return declared;
  if (typeof schema.$ref === 'string')
    return sampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, name);
  const { choices, isNullable } = choicesOf(schema);
  if (isNullable && usuallyNull.has(name)) return null;
  const [choice] = choices;
  if (choice === undefined) return null;
  return typeof choice.type === 'string'
    ? (declaredSample(choice) ?? sampleOfType(choice, schemas, name))
    : sampleOf(choice, schemas, name);
}

/** A body with the required properties and those that have an example. */
export function sampleBody(schema: SchemaObject, schemas: Schemas): unknown {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, SchemaObject>);
  const required = new Set((schema.required ?? []) as string[]);
  const shown = properties.filter(([key, part]) => required.has(key) || part.examples !== undefined);
  return Object.fromEntries(shown.map(([key, part]) => [key, sampleOf(part, schemas, key)]));
}
