import type { FuncKeywordDefinition, Format } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { canonicalJson } from '../exact-json/canonical-json.js';
import { compilePattern } from '../model/pattern.js';
import { workKeyword, type PreparedSchema } from './prepare.js';
import { spendWork } from './work.js';

/** Other formats are annotations, which check nothing. */
const formats = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** No format has longer values. The expressions were timed on hostile strings of this length. */
const formatLengthMaximum = 2048;
const formatWorkPerCharacter = 64;

/** The cost of reading a value's characters, items or keys, without descending. */
function widthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

const charge: FuncKeywordDefinition = {
  keyword: workKeyword,
  schemaType: 'number',
  // Runs before all other keywords, so that failures are charged as well.
  before: '$ref',
  valid: true,
  errors: false,
  compile: (weight: number) => (value: unknown) => {
    spendWork(weight + widthOf(value));
    return true;
  },
};

/** Replaces ajv's quadratic comparison. */
const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  compile: (isUnique: boolean) => (items: readonly unknown[]) => {
    if (!isUnique) return true;
    const seen = new Set<string>();
    for (const item of items) {
      const text = canonicalJson(item);
      spendWork(text.length);
      if (seen.has(text)) return false;
      seen.add(text);
    }
    return true;
  },
};

/** Replaces ajv's linear comparison. */
const oneOfValues: FuncKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  error: { message: 'must be equal to one of the allowed values' },
  compile: (values: readonly unknown[]) => {
    const texts = new Set(values.map(canonicalJson));
    return (value: unknown) => {
      const text = canonicalJson(value);
      spendWork(text.length);
      return texts.has(text);
    };
  },
};

/** Runs patterns on the linear-time engine. ajv caches compiled patterns by their string. */
function linearPattern(pattern: string) {
  const program = compilePattern(pattern);
  const size = program.programSize();
  return {
    test: (text: string) => {
      spendWork(size * text.length);
      return program.test(text);
    },
    toString: () => pattern,
  };
}

function bounded(format: Format): Format {
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  const isGood =
    typeof check === 'function'
      ? (check as (text: string) => boolean)
      : (text: string) => (check as RegExp).test(text);
  return (text: string) => {
    if (text.length > formatLengthMaximum) return false;
    spendWork(text.length * formatWorkPerCharacter);
    return isGood(text);
  };
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    // Unknown keywords were removed before.
    strict: false,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    ownProperties: true,
    multipleOfPrecision: 10,
    // Unoptimized code compiles four times faster and runs about as fast.
    code: { optimize: false, regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
    formats: Object.fromEntries(formats.map((name) => [name, bounded(fullFormats[name])])),
  });
  for (const keyword of [uniqueItems, oneOfValues])
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  ajv.addKeyword(charge);
  return ajv;
}

const ajv = createAjv();

/** The first mismatch with the 2020-12 meta-schema, or null. */
export function metaSchemaMismatch(schema: object): { pointer: string; message: string } | null {
  if (ajv.validateSchema(schema) === true) return null;
  const [error] = ajv.errors ?? [];
  return { pointer: error?.instancePath ?? '', message: error?.message ?? 'must be a schema' };
}

/** Throws a RangeError if the generated code is too deeply nested. */
export function compileSchema(schema: PreparedSchema): ValidateFunction {
  try {
    const validate = ajv.compile(schema);
    // Functions are parsed on their first call, so errors appear here.
    validate(null);
    return validate;
  } finally {
    // The instance would keep every compiled schema.
    ajv.removeSchema(schema);
  }
}
