import { describe, expect, test } from '@jest/globals';
import { mcpToolsDocument } from '../../src/surfaces/mcp/mcp-server.js';
import { verifies } from '../support/verifies.js';
import { fakeOperations } from './fake-service.js';

interface Schema {
  readonly [key: string]: unknown;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
}

const { tools } = mcpToolsDocument(fakeOperations()) as { tools: Tool[] };

/** A schema with all that it contains, by path. */
const partsOf = (path: string, schema: Schema): [string, Schema][] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => partsOf(`${path}.${name}`, part)),
  ...(schema.items === undefined ? [] : partsOf(`${path}[]`, schema.items)),
  ...(schema.anyOf ?? []).flatMap((part, index) => partsOf(`${path}|${String(index)}`, part)),
];
const schemas = tools.flatMap(({ name, inputSchema }) => partsOf(name, inputSchema));

/** Paths of the parts that break a rule. */
const breaking = (isKept: (schema: Schema) => boolean): string[] =>
  schemas.filter(([, schema]) => !isKept(schema)).map(([path]) => path);

/** Of the subset of OpenAPI 3.0 that the function declarations of Gemini are written in. */
const geminiKeywords = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'default', 'enum', 'items', 'anyOf'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'example'],
  ...['properties', 'required', 'minProperties', 'maxProperties', 'propertyOrdering'],
]);

describe('The input schemas of all tools', () => {
  verifies('mcp/schemas');

  test('name one type, or alternatives that do', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
    expect(
      breaking(({ type, anyOf }) =>
        anyOf === undefined ? types.includes(String(type)) : type === undefined,
      ),
    ).toEqual([]);
    expect(breaking(({ type }) => !Array.isArray(type))).toEqual([]);
  });

  test('are objects without alternatives, references or options at the top, as Anthropic and OpenAI require', () => {
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe('object');
      const refused = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref', '$defs', '$schema'];
      expect(refused.filter((key) => key in inputSchema)).toEqual([]);
    }
  });

  test('have names that OpenAI, Gemini and Anthropic accept', () => {
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      const names = partsOf(name, inputSchema).flatMap(([, { properties }]) => Object.keys(properties ?? {}));
      expect(names.filter((one) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(one))).toEqual([]);
    }
  });

  test('use only the keywords of Gemini, which excludes additionalProperties', () => {
    const unknown = schemas.flatMap(([path, schema]) =>
      Object.keys(schema)
        .filter((key) => !geminiKeywords.has(key))
        .map((key) => `${path}: ${key}`),
    );
    expect(unknown).toEqual([]);
  });

  test('have strings as options and items in every list, as Gemini requires', () => {
    expect(breaking((schema) => (schema.enum ?? []).every((one) => typeof one === 'string'))).toEqual([]);
    expect(breaking(({ type, enum: options }) => options === undefined || type === 'string')).toEqual([]);
    expect(breaking(({ type, items }) => type !== 'array' || items !== undefined)).toEqual([]);
  });

  test('require only what they have', () => {
    expect(
      breaking(({ required = [], properties = {} }) => required.every((key) => key in properties)),
    ).toEqual([]);
  });

  test('are nested at most five levels, and have descriptions of at most 1,024 characters, as OpenAI requires', () => {
    const depth = ({ properties = {}, items, anyOf = [] }: Schema): number => {
      const inner = [...Object.values(properties), ...(items ? [items] : [])].map((part) => 1 + depth(part));
      return Math.max(0, ...inner, ...anyOf.map(depth));
    };
    for (const { description, inputSchema } of tools) {
      expect(description.length).toBeLessThanOrEqual(1024);
      expect(depth(inputSchema)).toBeLessThanOrEqual(5);
    }
  });

  test('say which numbers are options, since these are no strings', () => {
    const redirect = tools.find(({ name }) => name === 'create_redirect');
    expect(redirect?.inputSchema.properties?.status).toEqual({
      type: 'number',
      description: expect.stringContaining('One of 301, 302, 307, 308, 410.'),
    });
  });
});
