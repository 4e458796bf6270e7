import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { spendWork } from './work.js';
import { canonicalJson } from '../exact-json/canonical-json.js';
import { compilePattern } from '../model/pattern.js';

/** Other formats are annotations, which check nothing. */
const names = [
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
const lengthMaximum = 2048;
const workPerCharacter = 64;

type TestText = (text: string) => boolean;

function bounded(format: Format): TestText {
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  const isGood =
    typeof check === 'function' ? (check as TestText) : (text: string) => (check as RegExp).test(text);
  return (text) => {
    if (text.length > lengthMaximum) return false;
    spendWork(text.length * workPerCharacter);
    return isGood(text);
  };
}

const formats: ReadonlyMap<string, TestText> = new Map(
  names.map((name) => [name, bounded(fullFormats[name])]),
);

/** Checks a value without descending into it. */
export interface Assertion {
  readonly holds: (value: unknown) => boolean;
  /** Continues "The value". */
  readonly message: string;
  /** The missing property that a mismatch is about. */
  readonly missingIn?: (value: unknown) => string | undefined;
}

type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Charged for every key. */
export function keysOf(value: JsonRecord): string[] {
  const keys = Object.keys(value);
  spendWork(keys.length * keyWork);
  return keys;
}

const keyWork = 24;

/** `multipleOf` is exact up to this error. */
const precision = 1e-10;

/** Canonical text for comparisons. Charged for every node before the text is made. */
function chargedText(value: unknown): string {
  chargeNodes(value);
  return canonicalJson(value);
}

/** A member or item costs as much as this many characters. */
const nodeWork = 60;

function chargeNodes(value: unknown): void {
  if (typeof value === 'string') spendWork(value.length);
  if (typeof value !== 'object' || value === null) return;
  const held = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  spendWork(nodeWork * (held.length + 1));
  for (const member of held) chargeNodes(member);
}

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
  null: (value) => value === null,
};

/** Code points, not UTF-16 units. */
function textLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800 || (text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00)
      continue;
    length -= 1;
    index += 1;
  }
  return length;
}

type Measure = (value: unknown) => number | undefined;

const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined);
const charactersOf: Measure = (value) => {
  if (typeof value !== 'string') return undefined;
  spendWork(value.length);
  return textLength(value);
};
const itemsOf: Measure = (value) => (Array.isArray(value) ? value.length : undefined);
const membersOf: Measure = (value) => (isRecord(value) ? keysOf(value).length : undefined);

/** Values that cannot be measured pass. */
const compares = (measure: Measure, isGood: (size: number) => boolean, message: string): Assertion => ({
  holds: (value) => {
    const size = measure(value);
    return size === undefined || isGood(size);
  },
  message,
});

const atMost = (measure: Measure, noun: string) => (limit: unknown) =>
  compares(measure, (size) => size <= Number(limit), `must NOT have more than ${String(limit)} ${noun}`);
const atLeast = (measure: Measure, noun: string) => (limit: unknown) =>
  compares(measure, (size) => size >= Number(limit), `must NOT have fewer than ${String(limit)} ${noun}`);

function hasNoRepeats(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    // Texts of structures start with a bracket; strings are marked.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? chargedText(item) : item;
    spendWork(nodeWork);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** Runs a pattern on the linear-time engine. */
export function patternTest(pattern: string): (text: string) => boolean {
  const program = compilePattern(pattern);
  const size = program.programSize();
  return (text) => {
    spendWork(size * text.length);
    return program.test(text);
  };
}

const firstMissing = (value: JsonRecord, names: readonly string[]): string | undefined =>
  names.find((name) => !Object.hasOwn(value, name));

const requires = (missingIn: (value: JsonRecord) => string | undefined): Assertion => ({
  holds: (value) => !isRecord(value) || missingIn(value) === undefined,
  message: 'must have required property',
  missingIn: (value) => (isRecord(value) ? missingIn(value) : undefined),
});

function required(names: readonly string[]): Assertion {
  return requires((value) => {
    spendWork(names.length);
    return firstMissing(value, names);
  });
}

function dependentRequired(namesByKey: Readonly<Record<string, readonly string[]>>): Assertion {
  const dependents = Object.entries(namesByKey);
  const size = dependents.reduce((sum, [, names]) => sum + names.length + 1, 0);
  return requires((value) => {
    spendWork(size);
    for (const [key, names] of dependents) {
      const missing = Object.hasOwn(value, key) ? firstMissing(value, names) : undefined;
      if (missing !== undefined) return missing;
    }
    return undefined;
  });
}

function oneOfValues(values: readonly unknown[], message: string): Assertion {
  const texts = new Set(values.map(canonicalJson));
  return { holds: (value) => texts.has(chargedText(value)), message };
}

/** Keywords that check a value. Unlisted keywords are annotations. */
export const assertions: Readonly<Record<string, (given: unknown) => Assertion>> = {
  type: (given) => {
    const types = [given].flat() as string[];
    const holds = (value: unknown): boolean => types.some((type) => typeTests[type]?.(value) === true);
    return { holds, message: `must be ${types.join(',')}` };
  },
  enum: (given) => oneOfValues(given as unknown[], 'must be equal to one of the allowed values'),
  const: (given) => oneOfValues([given], 'must be equal to constant'),
  multipleOf: (given) =>
    compares(
      numberOf,
      (number) => {
        const times = number / Number(given);
        return Math.abs(Math.round(times) - times) <= precision;
      },
      `must be multiple of ${String(given)}`,
    ),
  maximum: (given) => compares(numberOf, (number) => number <= Number(given), `must be <= ${String(given)}`),
  exclusiveMaximum: (given) =>
    compares(numberOf, (number) => number < Number(given), `must be < ${String(given)}`),
  minimum: (given) => compares(numberOf, (number) => number >= Number(given), `must be >= ${String(given)}`),
  exclusiveMinimum: (given) =>
    compares(numberOf, (number) => number > Number(given), `must be > ${String(given)}`),
  maxLength: atMost(charactersOf, 'characters'),
  minLength: atLeast(charactersOf, 'characters'),
  pattern: (given) => {
    const test = patternTest(String(given));
    const holds = (value: unknown): boolean => typeof value !== 'string' || test(value);
    return { holds, message: `must match pattern "${String(given)}"` };
  },
  format: (given) => {
    const test = formats.get(String(given));
    const holds = (value: unknown): boolean => typeof value !== 'string' || test === undefined || test(value);
    return { holds, message: `must match format "${String(given)}"` };
  },
  maxItems: atMost(itemsOf, 'items'),
  minItems: atLeast(itemsOf, 'items'),
  uniqueItems: (given) => ({
    holds: (value) => given !== true || !Array.isArray(value) || hasNoRepeats(value),
    message: 'must NOT have duplicate items',
  }),
  maxProperties: atMost(membersOf, 'properties'),
  minProperties: atLeast(membersOf, 'properties'),
  required: (given) => required(given as string[]),
  dependentRequired: (given) => dependentRequired(given as Record<string, string[]>),
};
