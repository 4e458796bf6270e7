/** The part of JSON Schema that Zod emits for the contracts. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly description?: string;
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const identifier = /^[A-Za-z_$][\w$]*$/;
const keyOf = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name));
const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** A comment cannot end inside. */
export const docBlock = (description: string | undefined): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;

function union(parts: readonly string[]): string {
  const distinct = [...new Set(parts)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function printProperties(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isRequired = schema.required?.includes(name) === true;
    const type = indent(printType(property));
    const mark = isRequired ? `: ${type}` : `?: ${type === 'unknown' ? type : `${type} | undefined`}`;
    return `  ${indent(`${docBlock(property.description)}${keyOf(name)}`)}${mark};`;
  });
}

function printObject(schema: JsonSchema): string {
  const lines = printProperties(schema);
  const { additionalProperties: rest } = schema;
  if (rest === false || (rest === undefined && lines.length > 0))
    return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n}`;
  const values = typeof rest === 'object' ? printType(rest) : 'unknown';
  if (lines.length === 0) return `Record<string, ${values}>`;
  return `{\n${lines.join('\n')}\n  [key: string]: unknown;\n}`;
}

function printArray({ items, prefixItems }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(printType).join(', ')}]`;
  return `Array<${items === undefined ? 'unknown' : printType(items)}>`;
}

function printNamed(type: string, schema: JsonSchema): string {
  if (type === 'object') return printObject(schema);
  if (type === 'array') return printArray(schema);
  return scalars[type] ?? 'unknown';
}

/** The TypeScript type of a JSON value; names of definitions are used as they are. */
export function printType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(printType));
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${printType(part)})`).join(' & ');
  if (schema.type === undefined) return 'unknown';
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return union(types.map((type) => printNamed(type, schema)));
}
