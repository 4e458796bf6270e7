import type { FieldKind, FieldSettings } from '../../../contracts/content/fields/field-kinds.js';
import { isGroup } from '../../content/model/field-definition.js';
import { typeNameOf } from '../../content/model/api-names.js';
import { everyItem, type Operations, type Outputs } from '../client/rest-operations.js';

type ContentType = Outputs['contentTypes']['list']['data'][number];
type Field = ContentType['fields'][number];
type Schema = Readonly<Record<string, unknown>>;

export interface RestSchema {
  readonly contentTypes: readonly ContentType[];
  /** JSON Schemas of custom field types by apiName. */
  readonly customTypes: ReadonlyMap<string, Schema>;
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** @throws AppError, or Error with one line for people */
export async function readRestSchema(client: Operations, projectSlug: string): Promise<RestSchema> {
  const [contentTypes, customTypes] = await Promise.all([
    allOf(everyItem((page) => client.call('contentTypes', 'list', { projectSlug, page, limit: 100 }))),
    allOf(everyItem((page) => client.call('customFieldTypes', 'list', { projectSlug, page, limit: 100 }))),
  ]);
  return { contentTypes, customTypes: new Map(customTypes.map((one) => [one.apiName, one.jsonSchema])) };
}

/** Names that the generated file uses. A content type of that name gets the suffix `_`, which no type can have. */
const reservedNames: ReadonlySet<string> = new Set([
  'AnyBlock',
  'AnyEntry',
  'Array',
  'B',
  'ContentTypes',
  'D',
  'Headwater',
  'Record',
  'S',
]);

const nameOf = (apiName: string): string => {
  const name = typeNameOf(apiName);
  return reservedNames.has(name) ? `${name}_` : name;
};

const quote = (text: string): string => JSON.stringify(text);
const union = (parts: readonly string[]): string =>
  parts.length === 0 ? 'never' : [...new Set(parts)].join(' | ');
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of kinds whose settings say nothing of the value. */
const plainTypes = {
  text: 'string',
  longText: 'string',
  slug: 'string',
  date: 'string',
  dateTime: 'string',
  url: 'string',
  email: 'string',
  color: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  location: '{ lat: number; lng: number }',
  richText: 'Headwater.RichText<D>',
  media: 'Headwater.MediaField<D>',
} as const;

/** What says more of a value than TypeScript can, so that its part of a type is left open. */
const isOpen = (schema: Schema): boolean =>
  ['$ref', '$dynamicRef', 'patternProperties'].some((keyword) => keyword in schema);

function objectType(schema: Schema): string {
  const { properties = {}, required, additionalProperties } = schema;
  const names = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const lines = Object.entries(properties as Schema).map(
    ([name, property]) =>
      `${keyOf(name)}${names.includes(name) ? '' : '?'}: ${jsonType(property)}${names.includes(name) ? '' : ' | undefined'}`,
  );
  if (additionalProperties === false && lines.length > 0) return `{ ${lines.join('; ')} }`;
  return `{ ${[...lines, '[key: string]: unknown'].join('; ')} }`;
}

/** A type that has every value of a JSON Schema; it can have more. */
function jsonType(schema: unknown): string {
  if (!isSchema(schema) || isOpen(schema)) return 'unknown';
  const literals = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(literals))
    return literals.some((value) => typeof value === 'object' && value !== null)
      ? 'unknown'
      : union(literals.map((value) => JSON.stringify(value)));
  const { type, items } = schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  const parts = types.map((one) => {
    if (one === 'object') return objectType(schema);
    if (one === 'array') return `Array<${'prefixItems' in schema ? 'unknown' : jsonType(items)}>`;
    if (one === 'integer') return 'number';
    return ['string', 'number', 'boolean', 'null'].includes(String(one)) ? String(one) : 'unknown';
  });
  return parts.includes('unknown') ? 'unknown' : union(parts);
}

class RestPrinter {
  readonly #known: ReadonlyMap<string, ContentType>;

  constructor(private readonly schema: RestSchema) {
    this.#known = new Map(
      schema.contentTypes
        .toSorted((a, b) => (a.apiName < b.apiName ? -1 : 1))
        .map((contentType) => [contentType.apiName, contentType]),
    );
  }

  print(): string {
    const types = [...this.#known.values()];
    const all = (isBlock: boolean, level: string) =>
      union(
        types
          .filter((type) => type.isBlock === isBlock)
          .map(({ apiName }) => `${nameOf(apiName)}<${level}, S, B>`),
      );
    const parameters =
      "D extends Headwater.Depth = 0, S extends Headwater.Status = 'published', B extends Headwater.BlockMode = 'hops'";
    const interfaces = types.map((type) => this.#interface(type, parameters));
    const modes = types.map(({ apiName }) => {
      const at = (mode: string) =>
        [0, 1, 2, 3].map((depth) => `${nameOf(apiName)}<${String(depth)}, S, '${mode}'>`);
      return `  ${keyOf(apiName)}: {\n    hops: [${at('hops').join(', ')}];\n    all: [${at('all').join(', ')}];\n  };`;
    });
    return `// Types of a project's content over REST. Generated by \`headwater types --rest\`. Do not edit.
import type * as Headwater from 'headwater-client';

${interfaces.join('\n')}
/** An entry of any type that is no block. */
export type AnyEntry<${parameters}> = ${all(false, 'D')};

/** A block of any type. */
export type AnyBlock<${parameters}> = ${all(true, 'D')};

/** For createDeliveryClient<ContentTypes>(…), or ContentTypes<'draft'> with a preview key. */
export type ContentTypes<S extends Headwater.Status = 'published'> = {
${modes.join('\n')}
};
`;
  }

  #interface({ apiName, description, fields }: ContentType, parameters: string): string {
    const lines = fields.map((field) => {
      const notes = [field.description ?? '', field.deprecated ? '@deprecated' : ''].filter(
        (note) => note !== '',
      );
      const comment = notes.join(' ').replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ');
      return `${comment === '' ? '' : `    /** ${comment} */\n`}    ${keyOf(field.apiName)}: ${this.#value(field)};\n`;
    });
    const text =
      description === null ? '' : `/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
    const body =
      lines.length === 0 ? '  fields: Record<string, never>;\n' : `  fields: {\n${lines.join('')}  };\n`;
    return `${text}export interface ${nameOf(apiName)}<${parameters}>\n  extends Headwater.EntryOf<${quote(apiName)}, S> {\n${body}}\n`;
  }

  /** Links are there even if what they name is not. */
  #value(field: Field): string {
    const one = this.#item(field);
    if (field.isList && !isGroup(field)) return `Array<${one}>`;
    const isRequired = field.required && field.settings.visibleWhen === undefined;
    if (one === 'unknown') return one;
    return isRequired ? `Headwater.Filled<${one}, S>` : `${one} | null`;
  }

  #item({ type, settings }: Field): string {
    const types: Record<FieldKind, string | (() => string)> = {
      ...plainTypes,
      select: () => union((settings as FieldSettings<'select'>).options.map(({ value }) => quote(value))),
      json: () => jsonType(settings.jsonSchema),
      custom: () => jsonType(this.schema.customTypes.get(String(settings.customFieldType))),
      reference: () => this.#reference(settings),
      blocks: () => this.#block(settings),
    };
    const print = types[type];
    return typeof print === 'string' ? print : print();
  }

  #reference(settings: Schema): string {
    const names = this.#targets(settings, false);
    if (names === undefined) return 'Headwater.Reference<string, D, AnyEntry<Headwater.Less<D>, S, B>>';
    const entries = names.map((name) => `${nameOf(name)}<Headwater.Less<D>, S, B>`);
    return `Headwater.Reference<${union(names.map(quote))}, D, ${union(entries)}>`;
  }

  #block(settings: Schema): string {
    const names = this.#targets(settings, true);
    const at = (level: string) =>
      names === undefined
        ? `AnyBlock<${level}, S, B>`
        : union(names.map((name) => `${nameOf(name)}<${level}, S, B>`));
    const types = names === undefined ? 'string' : union(names.map(quote));
    return `Headwater.Block<${types}, D, B, ${at('Headwater.Less<D>')}, ${at('D')}>`;
  }

  /** Content types that a field allows; undefined if all. */
  #targets({ contentTypes }: Schema, isBlock: boolean): readonly string[] | undefined {
    if (!Array.isArray(contentTypes)) return undefined;
    return (contentTypes as readonly string[]).filter((name) => this.#known.get(name)?.isBlock === isBlock);
  }
}

/** One interface per content type, sorted by name, so that the output changes only where the schema does. */
export const printRestTypes = (schema: RestSchema): string => new RestPrinter(schema).print();
