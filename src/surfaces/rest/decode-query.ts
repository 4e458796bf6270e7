import type { z } from 'zod';
import { splitList } from '../../../contracts/primitives.js';
import { invalidInput } from '../../../contracts/errors.js';
import { checkExactText, parseExactJson } from '../../content/exact-json/exact-json.js';

type DecodeValues = (values: readonly string[]) => unknown;

/** Decodes the values of one parameter; objects take several parameters, whose last keys may each have another type. */
type Decode = DecodeValues | { readonly keys: ReadonlyMap<string, DecodeValues> };

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

const decodeNumber = (value: string): unknown => (NUMBER.test(value) ? Number(value) : value);

/** Objects are JSON. The schema rejects other strings. */
function decodeObject(value: string): unknown {
  if (!value.trimStart().startsWith('{')) return value;
  return parseExactJson(Buffer.from(value));
}

const decodeOne: Readonly<Record<string, (value: string) => unknown>> = {
  object: decodeObject,
  number: decodeNumber,
  int: decodeNumber,
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
};

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly out?: z.ZodType;
  readonly valueType?: z.ZodObject;
  readonly options?: readonly z.ZodType[];
}

/** Below optional, default and nullable wrappers. */
function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as unknown as Definition;
  return definition.innerType === undefined ? definition : definitionOf(definition.innerType);
}

const isArray = (schema: z.ZodType): boolean => definitionOf(schema).type === 'array';

/** Converts strings to the type of the schema, which stays strict. A list is repeated or separated by commas. */
function valueDecoderFor(schema: z.ZodType): DecodeValues {
  const { type, element, options } = definitionOf(schema);
  if (options?.some(isArray) === true) return (values) => values.flatMap(splitList);
  if (type === 'array' && element !== undefined) {
    const decodeItem = decodeOne[definitionOf(element).type] ?? ((value: string) => value);
    return (values) => values.flatMap(splitList).map(decodeItem);
  }
  const decode = decodeOne[type] ?? ((value: string) => value);
  // The schema rejects a repeated parameter.
  return ([first, ...more]) => (more.length > 0 ? [first, ...more] : decode(first ?? ''));
}

function decoderFor(schema: z.ZodType): Decode {
  const { type, out } = definitionOf(schema);
  const { type: outType, valueType } = type === 'pipe' && out !== undefined ? definitionOf(out) : { type };
  if (outType !== 'record' || valueType === undefined) return valueDecoderFor(schema);
  const shape = Object.entries(valueType.shape) as [string, z.ZodType][];
  return { keys: new Map(shape.map(([key, part]) => [key, valueDecoderFor(part)])) };
}

const PATH_NUMBER = /^[1-9][0-9]{0,14}$/;

/** Decodes path parameters of the type number; a malformed one is 0 and thus matches nothing (rule http/status-codes). */
export function pathDecoder(
  input: z.ZodObject,
  names: Iterable<string>,
): (name: string, value: string) => string | number {
  const numeric = new Set(
    [...names].filter(
      (name) => decodeOne[definitionOf(input.shape[name] as z.ZodType).type] === decodeNumber,
    ),
  );
  return (name, value) => (numeric.has(name) ? (PATH_NUMBER.test(value) ? Number(value) : 0) : value);
}

export function queryDecoders(input: z.ZodObject, names: readonly string[]): ReadonlyMap<string, Decode> {
  return new Map(names.map((name) => [name, decoderFor(input.shape[name] as z.ZodType)]));
}

/** A list that is written as JSON; a plain value may begin with a bracket too. */
const JSON_LIST = /^\s*\[\s*(?:"|\])/;

/** As parameters, but a list may be JSON as objects are. @throws AppError 400 for malformed JSON */
export function formDecoders(input: z.ZodObject, names: readonly string[]): ReadonlyMap<string, Decode> {
  return new Map(
    names.map((name) => {
      const schema = input.shape[name] as z.ZodType;
      const decode = decoderFor(schema);
      if (!isArray(schema) || typeof decode !== 'function') return [name, decode];
      const decodeList = (values: readonly string[]): unknown => {
        const [only, ...more] = values;
        const isJson = only !== undefined && more.length === 0 && JSON_LIST.test(only);
        return isJson ? parseExactJson(Buffer.from(only)) : decode(values);
      };
      return [name, decodeList];
    }),
  );
}

function decodePart(text: string): string {
  let value: string;
  try {
    value = decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    throw invalidInput({
      path: [],
      code: 'invalid_encoding',
      message: 'The query string is not valid UTF-8.',
    });
  }
  if (checkExactText(value)) return value;
  throw invalidInput({
    path: [],
    code: 'invalid_text',
    message: 'The query string contains a character that cannot be stored.',
  });
}

/** Values by name. Strict, unlike URLSearchParams, which replaces invalid bytes. */
function parseQuery(search: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodePart(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decodePart(pair.slice(at + 1));
    const known = parameters.get(name);
    if (known === undefined) parameters.set(name, [value]);
    else known.push(value);
  }
  return parameters;
}

/**
 * Parses `filter[title][eq]=x` to `{ title: { eq: 'x' } }`.
 * @param keys decoders by the last key
 * @throws AppError 422 for a parameter that begins with the name and has another form
 */
function parseConditions(
  name: string,
  given: ReadonlyMap<string, string[]>,
  {
    decoders,
    keys: decodeKey,
  }: { decoders: ReadonlyMap<string, Decode>; keys: ReadonlyMap<string, DecodeValues> },
): object | undefined {
  const fields = new Map<string, Map<string, unknown>>();
  for (const [parameter, values] of given) {
    if (!parameter.startsWith(name)) continue;
    const match = /^([^[\]]+)\[([^[\]]+)\]\[([^[\]]+)\]$/.exec(parameter);
    if (match?.[1] !== name) {
      if (parameter !== name && decoders.has(parameter)) continue;
      throw invalidInput({
        path: [parameter],
        code: 'invalid_filter',
        message: `Write a filter as ${name}[field][operator]=value.`,
      });
    }
    const [, , field = '', key = ''] = match;
    const keys = fields.get(field) ?? new Map<string, unknown>();
    // The schema rejects unknown keys.
    fields.set(field, keys.set(key, decodeKey.get(key)?.(values) ?? values));
  }
  if (fields.size === 0) return undefined;
  return Object.fromEntries([...fields].map(([field, keys]) => [field, Object.fromEntries(keys)]));
}

/** Whether a parameter has this name, or is one of several that form it. */
const isPartOf = (parameter: string, name: string, decode: Decode): boolean =>
  parameter === name || (typeof decode !== 'function' && parameter.startsWith(name));

function unknownNames(given: ReadonlyMap<string, unknown>, decoders: ReadonlyMap<string, Decode>): string[] {
  const known = [...decoders];
  return [...given.keys()].filter(
    (parameter) => !known.some(([name, decode]) => isPartOf(parameter, name, decode)),
  );
}

/**
 * Unknown parameters are ignored (rule lists/filters), except malformed filters (rule delivery/filters).
 * @param onUnknown receives their names, if there are any
 */
export function decodeQuery(
  search: string,
  decoders: ReadonlyMap<string, Decode>,
  onUnknown?: (names: readonly string[]) => void,
): Record<string, unknown> {
  const given = parseQuery(search);
  const unknown = onUnknown === undefined ? [] : unknownNames(given, decoders);
  if (unknown.length > 0) onUnknown?.(unknown);
  const input: Record<string, unknown> = {};
  for (const [name, decode] of decoders) {
    const values = given.get(name);
    const value =
      typeof decode === 'function'
        ? values && decode(values)
        : parseConditions(name, given, { decoders, keys: decode.keys });
    if (value !== undefined) input[name] = value;
  }
  return input;
}

/** Decodes the text parts of a form; the schema rejects unknown names. */
export function decodeParts(
  parts: ReadonlyMap<string, string[]>,
  decoders: ReadonlyMap<string, Decode>,
): Record<string, unknown> {
  return Object.fromEntries(
    [...parts].map(([name, values]) => {
      const decode = decoders.get(name);
      return [name, typeof decode === 'function' ? decode(values) : values[0]];
    }),
  );
}
