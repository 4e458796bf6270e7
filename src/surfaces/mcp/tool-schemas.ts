import { z } from 'zod';
import type { ToolMeta } from '../../../contracts/metadata.js';
import { limits } from '../../../contracts/limits.js';
import { separatedByCommas } from '../../../contracts/primitives.js';
import type { BoundOperation } from '../../procedures/index.js';
import { pagingKeys, type ToolArguments } from './tool-arguments.js';

type Json = Readonly<Record<string, unknown>>;

/** A schema with types alone. */
type CompactSchema = Readonly<Record<string, unknown>>;

/** Keys of an object whose types are kept. */
const TYPED_KEYS = 4;

class Compactor {
  constructor(private readonly definitions: Readonly<Record<string, Json>>) {}

  /** @param levels of properties to keep */
  compact(given: Json, levels: number): CompactSchema {
    const schema = this.#resolve(given);
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
    if (choices !== undefined) return this.#compactChoices(choices, levels);
    if (schema.type === 'object')
      return levels === 0 ? { type: 'object' } : this.#compactObject(schema, levels);
    if (schema.type === 'array' && levels > 0)
      return { type: 'array', items: this.compact((schema.items ?? {}) as Json, levels) };
    return schema.type === undefined ? {} : { type: schema.type };
  }

  properties(given: Json, levels: number): Readonly<Record<string, CompactSchema>> {
    const properties = (this.#resolve(given).properties ?? {}) as Readonly<Record<string, Json>>;
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, this.compact(part, levels)]),
    );
  }

  /** Large objects name their keys without types. */
  #compactObject(schema: Json, levels: number): CompactSchema {
    const properties = this.properties(schema, levels - 1);
    const count = Object.keys(properties).length;
    if (count > TYPED_KEYS) return { type: 'object', required: schema.required ?? [] };
    return { type: 'object', ...(count > 0 && { properties }) };
  }

  /** Of alternatives of one type, one is kept. */
  #compactChoices(choices: readonly Json[], levels: number): CompactSchema {
    const compacted = choices.map((choice) => this.compact(choice, levels));
    const isSimple = compacted.every((choice) => Object.keys(choice).join() === 'type');
    if (!isSimple) return { anyOf: compacted };
    const types = [...new Set(compacted.map(({ type }) => type))];
    return types.length === 1 ? { type: types[0] } : { anyOf: types.map((type) => ({ type })) };
  }

  #resolve(schema: Json): Json {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return schema;
    return this.definitions[reference.replace('#/$defs/', '')] ?? {};
  }
}

/** Properties of an object schema, down to some levels, without anything but their types. */
function compactProperties(schema: Json, levels: number): Readonly<Record<string, CompactSchema>> {
  const definitions = (schema.$defs ?? {}) as Readonly<Record<string, Json>>;
  return new Compactor(definitions).properties(schema, levels);
}

/** The items of a list with only these keys, whose types it leaves out. */
const pickItemKeys = (list: CompactSchema, keys: readonly string[]): CompactSchema => ({
  ...list,
  items: { type: 'object', required: keys },
});

/** A JSON Schema (draft 2020-12) of an object. */
interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: 'object';
}

/** Every agent reads every schema, so inputs have only what helps to write a call; the service checks the rest. */
const noise = (part: Record<string, unknown>): string[] => [
  ...['example', 'pattern', 'propertyNames', 'minLength', 'maxLength', 'maxItems', 'format'],
  'additionalProperties',
  ...(Number(part.maximum) >= limits.pageMaximum ? ['maximum'] : []),
  ...(part.minimum === Number.MIN_SAFE_INTEGER || part.minimum === 1 ? ['minimum'] : []),
];

const plainKeys: ReadonlySet<string> = new Set(['type', 'description']);

/** Their names, defaults and limits say what they are. */
function describeNoPaging(properties: unknown): void {
  for (const [name, part] of Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>))
    if (pagingKeys.has(name)) delete part.description;
}

/** Alternatives and items need no description where the whole has one. */
function describeOnce({ description, anyOf, items }: Record<string, unknown>): void {
  if (description === undefined) return;
  for (const part of [anyOf ?? [], items ?? []].flat() as Record<string, unknown>[]) delete part.description;
}

/** The names of tool and argument say as much. */
const redundant = new RegExp(
  '^(?:A UUID|A BCP 47 locale code|Id of the (?:asset|entry)|apiName of the content type|Locale of the translation' +
    '|Filter by (?:content type|folder|kind|locale|site|status|tag))\\.$',
);

/** Commas separate values in a query string only. Alternatives of plain types need no description of their own. */
function shorten(part: Record<string, unknown>): void {
  if (typeof part.description === 'string')
    part.description = part.description.replace(separatedByCommas, '');
  const { anyOf } = part;
  if (Array.isArray(anyOf)) {
    const alternatives = anyOf as Record<string, unknown>[];
    const isPlain = alternatives.every((one) => Object.keys(one).every((key) => plainKeys.has(key)));
    const [first] = alternatives.flatMap(({ description }) => description ?? []);
    if (isPlain && first !== undefined) part.description ??= first;
    if (isPlain) for (const one of alternatives) delete one.description;
  }
  if (redundant.test(String(part.description))) delete part.description;
}

/**
 * What the function calling of the large vendors accepts (rule mcp/toolsets): one type for everything, strings as options
 * only, no `const` and no `oneOf`.
 */
function makePortable(part: Record<string, unknown>): void {
  if (Array.isArray(part.type)) {
    part.anyOf = (part.type as unknown[]).map((type) => ({ type }));
    delete part.type;
  }
  if ('const' in part) part.enum = [part.const];
  delete part.const;
  if (Array.isArray(part.oneOf)) part.anyOf = part.oneOf as unknown[];
  delete part.oneOf;
  const options = Array.isArray(part.enum) ? (part.enum as unknown[]) : [];
  if (options.some((option) => typeof option !== 'string')) {
    const { description } = part;
    const known = `One of ${options.map(String).join(', ')}.`;
    part.description = typeof description === 'string' ? `${description} ${known}` : known;
    delete part.enum;
  }
  if (part.type === undefined && part.anyOf === undefined) part.type = 'object';
  const { properties, items, anyOf } = part as Readonly<Record<string, object | undefined>>;
  const parts = [Object.values(properties ?? {}), items ?? [], anyOf ?? []].flat() as Record<
    string,
    unknown
  >[];
  for (const inner of parts) makePortable(inner);
}

/** Without `$schema`: the protocol implies it, and some clients cannot load it. */
export function inputSchemaOf(
  { schema }: ToolArguments,
  { listsOf = {}, optionsOf = {} }: ToolMeta,
): ObjectSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema: part }) => {
      for (const key of noise(part)) delete part[key];
      describeOnce(part);
      shorten(part);
    },
  });
  describeNoPaging(json.properties);
  for (const [name, description] of Object.entries(listsOf))
    Object.assign(json.properties ?? {}, {
      [name]: { type: 'array', items: { type: 'object' }, description },
    });
  for (const [name, description] of Object.entries(optionsOf))
    Object.assign(json.properties ?? {}, { [name]: { type: 'object', description } });
  makePortable(json);
  return { ...json, type: 'object' };
}

/** Schema of `structuredContent`. Clients validate errors too, so it allows both envelopes. */
export function outputSchemaOf(
  { output }: BoundOperation,
  { itemKeys, sameResultAs }: ToolMeta,
): ObjectSchema {
  const json = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const { data = {} } = compactProperties(json, sameResultAs === undefined ? 1 : 0);
  return {
    type: 'object',
    properties: { data: itemKeys === undefined ? data : pickItemKeys(data, itemKeys) },
    anyOf: [{ required: ['data'] }, { required: ['error', 'message'] }],
  };
}
