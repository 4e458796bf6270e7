import type { z } from 'zod';
import { invalidInput } from '../../../contracts/errors.js';
import { checkExactText } from '../../content/exact-json.js';

type Decode = (values: readonly string[]) => unknown;

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

const decodeOne: Readonly<Record<string, (value: string) => unknown>> = {
  number: (value) => (NUMBER.test(value) ? Number(value) : value),
  int: (value) => (NUMBER.test(value) ? Number(value) : value),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
};

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
}

/** The definition below optional, default and nullable wrappers. */
function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as unknown as Definition;
  return definition.innerType === undefined ? definition : definitionOf(definition.innerType);
}

/** How the raw values of one parameter become what its schema expects; the schema itself stays strict. */
function decoderFor(schema: z.ZodType): Decode {
  const { type, element } = definitionOf(schema);
  if (type === 'array' && element !== undefined) {
    const decodeItem = decodeOne[definitionOf(element).type] ?? ((value: string) => value);
    return (values) => values.flatMap((value) => value.split(',')).map(decodeItem);
  }
  const decode = decodeOne[type] ?? ((value: string) => value);
  // A parameter that is sent twice is no single value: its schema refuses the list.
  return ([first, ...more]) => (more.length > 0 ? [first, ...more] : decode(first ?? ''));
}

/** Decoders of an operation's query parameters, made once. */
export function queryDecoders(input: z.ZodObject, names: readonly string[]): ReadonlyMap<string, Decode> {
  return new Map(names.map((name) => [name, decoderFor(input.shape[name] as z.ZodType)]));
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
    message: 'The query string contains a character that cannot be kept.',
  });
}

/** Values by parameter name; strict where URLSearchParams would replace what it cannot read. */
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

/** The decoded query parameters that an operation knows; others are ignored (decisions 2.1). */
export function decodeQuery(search: string, decoders: ReadonlyMap<string, Decode>): Record<string, unknown> {
  const given = parseQuery(search);
  const input: Record<string, unknown> = {};
  for (const [name, decode] of decoders) {
    const values = given.get(name);
    if (values !== undefined) input[name] = decode(values);
  }
  return input;
}
