import { z } from 'zod';
import type { OperationMeta, ToolMeta } from '../../../contracts/metadata.js';
import { invalidInput, issuesOf, type InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { separatedByCommas } from '../../../contracts/primitives.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { BoundOperation } from '../../procedures/index.js';

const dryRun = z.boolean().optional().meta({ description: 'Only return what would change.', example: true });

const confirmToken = z
  .string()
  .max(4096)
  .optional()
  .meta({ description: 'Token of a `confirmation_required` reply; keep the other arguments.' });

/** Control arguments of a tool: writing tools allow dry runs, some allow confirmation. */
function controlsOf({ mcp, confirmation }: OperationMeta): z.ZodRawShape {
  return {
    ...(mcp?.readOnly !== true && { dryRun }),
    ...(confirmation !== undefined && { confirmToken }),
  };
}

/** Separates control arguments (rule mcp/results) from the input; both are already validated. */
export function splitControls(values: Readonly<Record<string, unknown>>): {
  readonly isDryRun: boolean;
  readonly rest: Readonly<Record<string, unknown>>;
} {
  const { dryRun: isDryRun, confirmToken: _token, ...rest } = values;
  return { isDryRun: isDryRun === true, rest };
}

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

  /** Simple alternatives, such as null, become one list of types. */
  #compactChoices(choices: readonly Json[], levels: number): CompactSchema {
    const compacted = choices.map((choice) => this.compact(choice, levels));
    const isSimple = compacted.every((choice) => Object.keys(choice).join() === 'type');
    if (!isSimple) return { anyOf: compacted };
    const types = [...new Set(compacted.flatMap(({ type }) => type as string | string[]))];
    return { type: types.length === 1 ? types[0] : types };
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

/** The arguments of a tool and their mapping to the operation's input. */
export interface ToolArguments {
  readonly schema: z.ZodObject;
  /** @throws AppError `validation_failed` with the issues, including unknown names */
  assert(values: Readonly<Record<string, unknown>>): void;
  /** The operation's input, without control arguments. */
  toInput(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** A failure whose issues use the tool's argument names. */
  inArguments(error: unknown): unknown;
}

/** Hidden from agents: the endpoint gives the project; the others are for editors' lists (rule mcp/tools) and for other systems. */
const hiddenKeys: ReadonlySet<string> = new Set([
  'projectSlug',
  'orderBy',
  'cursor',
  'q',
  'deleted',
  'externalId',
]);

const pagingKeys: ReadonlySet<string> = new Set(['page', 'limit']);

/** Argument name by input key; an argument is named as the REST parameter is (`siteSlug` is `slug`). */
function argumentNames({ input, meta }: BoundOperation, { listsAll }: ToolMeta): Map<string, string> {
  const visible = Object.keys(input.shape).filter(
    (key) => !hiddenKeys.has(key) && !(listsAll === true && pagingKeys.has(key)),
  );
  return new Map(visible.map((key) => [key, meta.openapi?.pathAliases?.[key] ?? key]));
}

const renamed = (issue: InputIssue, names: ReadonlyMap<string, string>): InputIssue => {
  const [key, ...rest] = issue.path;
  return typeof key === 'string' ? { ...issue, path: [names.get(key) ?? key, ...rest] } : issue;
};

/** The strict input of an operation without hidden keys. */
export function argumentsOf(operation: BoundOperation, tool: ToolMeta): ToolArguments {
  const names = argumentNames(operation, tool);
  const keys = new Map([...names].map(([key, name]) => [name, key]));
  const schema = z.strictObject({
    ...Object.fromEntries([...names].map(([key, name]) => [name, operation.input.shape[key] ?? z.never()])),
    ...controlsOf(operation.meta),
  });
  return {
    schema,
    assert(values) {
      const parsed = schema.safeParse(values);
      if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    },
    toInput(values) {
      return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [keys.get(name) ?? name, value]),
      );
    },
    inArguments(error) {
      const failure = toAppError(error);
      const issues = (failure.details as { issues?: readonly InputIssue[] } | undefined)?.issues;
      if (failure.code !== 'validation_failed' || issues === undefined) return error;
      return invalidInput(...issues.map((issue) => renamed(issue, names)));
    },
  };
}

/** Every agent reads every schema, so inputs have only what helps to write a call; the service checks the rest. */
const noise = (part: Record<string, unknown>): string[] => [
  ...['example', 'pattern', 'propertyNames', 'minLength', 'maxLength', 'maxItems', 'format'],
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

/** Commas separate values in a query string only; alternatives of plain types are one list of types. */
function shorten(part: Record<string, unknown>): void {
  if (typeof part.description === 'string')
    part.description = part.description.replace(separatedByCommas, '');
  if (redundant.test(String(part.description))) delete part.description;
  const { anyOf } = part;
  if (!Array.isArray(anyOf)) return;
  const alternatives = anyOf as Record<string, unknown>[];
  const isPlain = alternatives.every((one) => Object.keys(one).every((key) => plainKeys.has(key)));
  if (!isPlain) return;
  delete part.anyOf;
  Object.assign(part, ...alternatives.toReversed(), part, { type: alternatives.map(({ type }) => type) });
}

/** Without `$schema`: the protocol implies it, and some clients cannot load it. */
export function inputSchemaOf({ schema }: ToolArguments, { listsOf = {} }: ToolMeta): ObjectSchema {
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
