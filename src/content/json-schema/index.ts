import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import { checkEndless, checkExpansion } from './expansion.js';
import { checkPatterns } from './patterns.js';
import { prepareSchema } from './prepare.js';
import { readSchema } from './read-schema.js';
import { compileSchema, metaSchemaMismatch } from './validator.js';
import { renewWork, WorkExhausted } from './work.js';

export { renewWork, spentWork, workBudget } from './work.js';

/** A JSON Schema as it is stored. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema that was looked at: what is wrong with it, or what checks values against it. */
interface KnownSchema {
  readonly problems: readonly Problem[];
  readonly validate: ValidateFunction | null;
}

const knownMaximum = 200;
const knownByText = new Map<string, KnownSchema>();
/** Spares writing down a schema that stays in memory, as those of a catalog do. */
const knownByObject = new WeakMap<object, KnownSchema>();

/**
 * What keeps a schema from being used: not JSON Schema 2020-12, more than 64 KiB, deeper than 10 schemas,
 * references that lead out, multiply or never end, patterns that the linear-time engine cannot run.
 */
export function checkJsonSchema(schema: JsonSchema): Problem[] {
  return [...know(schema).problems];
}

/**
 * What a schema says against a value: nothing or the first mismatch, at its place in the value. Draws on the
 * work of the write that {@link renewWork} began.
 */
export function checkAgainstSchema(value: unknown, schema: JsonSchema): Problem[] {
  const { validate } = know(schema);
  if (validate === null) return problem('unusable_schema', 'The schema of the field cannot be used.');
  try {
    if (validate(value)) return [];
  } catch (error) {
    return tooCostly(error);
  }
  // An `if` reports the branch's mismatch first; else the outermost keyword tells best what was expected.
  const error = validate.errors?.findLast(({ keyword }) => keyword !== 'if');
  return error === undefined
    ? problem('json_schema', 'The value does not fit the schema.')
    : mismatch(value, error);
}

function tooCostly(error: unknown): Problem[] {
  if (!(error instanceof WorkExhausted) && !(error instanceof RangeError)) throw error;
  return problem('too_costly', 'Checking the value against its schema takes too much work.');
}

function mismatch(value: unknown, error: ErrorObject): Problem[] {
  const params = error.params as Record<string, unknown>;
  const named =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const path = valuePath(value, error.instancePath);
  if (typeof named === 'string') path.push(named);
  return [{ path, code: 'json_schema', message: `The value ${error.message ?? 'does not fit the schema'}.` }];
}

/** Steps of a JSON pointer into a value; those into lists are numbers. */
function valuePath(value: unknown, pointer: string): (string | number)[] {
  let current = value;
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const name = step.replace(/~1/g, '/').replace(/~0/g, '~');
      const key = Array.isArray(current) ? Number(name) : name;
      current = (current as Record<string | number, unknown> | undefined)?.[key];
      return key;
    });
}

function know(schema: JsonSchema): KnownSchema {
  const seen = knownByObject.get(schema);
  if (seen !== undefined) return seen;
  const text = JSON.stringify(schema);
  const known = knownByText.get(text) ?? examine(schema, text);
  knownByObject.set(schema, known);
  // Set again, so that the oldest is the one least used.
  knownByText.delete(text);
  knownByText.set(text, known);
  const [oldest] = knownByText.keys();
  if (oldest !== undefined && knownByText.size > knownMaximum) knownByText.delete(oldest);
  return known;
}

function examine(schema: JsonSchema, text: string): KnownSchema {
  const refused = (problems: readonly Problem[]): KnownSchema => ({ problems, validate: null });
  if (Buffer.byteLength(text) > limits.jsonSchemaBytes)
    return refused(problem('too_large', `A schema may have ${limits.jsonSchemaBytes} bytes of JSON.`));
  const { root, parts, problems } = readSchema(schema);
  if (problems.length > 0) return refused(problems);
  const unfit = checkMetaSchema(schema);
  if (unfit.length > 0) return refused(unfit);
  const costly = [...checkEndless(parts), ...checkExpansion(root), ...checkPatterns(parts)];
  if (costly.length > 0) return refused(costly);
  try {
    return { problems: [], validate: compileSchema(prepareSchema(root, parts)) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refused(problem('too_complex', 'The schema is too complex to be used.'));
  }
}

function checkMetaSchema(schema: JsonSchema): Problem[] {
  renewWork();
  const unfit = metaSchemaMismatch(schema);
  if (unfit === null) return [];
  return [
    {
      path: valuePath(schema, unfit.pointer),
      code: 'invalid_schema',
      message: `Not JSON Schema 2020-12: ${unfit.message}.`,
    },
  ];
}
