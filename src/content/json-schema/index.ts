import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import { checkEndless, checkExpansion } from './expansion.js';
import { checkPatterns } from './patterns.js';
import { prepareSchema } from './prepare.js';
import { readSchema } from './read-schema.js';
import { compileSchema, metaSchemaMismatch } from './validator.js';
import type { JsonSchema } from './shape.js';
import { renewWork, WorkExhausted } from './work.js';

export type { JsonSchema } from './shape.js';
export { renewWork, spentWork, workBudget } from './work.js';

interface KnownSchema {
  readonly problems: readonly Problem[];
  readonly validate: ValidateFunction | null;
}

const knownMaximum = 200;
const knownByText = new Map<string, KnownSchema>();
/** Avoids serializing schemas that stay in memory, such as those of a catalog. */
const knownByObject = new WeakMap<object, KnownSchema>();

/**
 * Checks that a schema is JSON Schema 2020-12 within the limits, with finite local references and linear-time
 * patterns.
 */
export function checkJsonSchema(schema: JsonSchema): Problem[] {
  return [...know(schema).problems];
}

/** Returns the first mismatch. Spends the budget that {@link renewWork} reset. */
export function checkAgainstSchema(value: unknown, schema: JsonSchema): Problem[] {
  const { validate } = know(schema);
  if (validate === null) return problem('unusable_schema', 'The schema of the field is not usable.');
  try {
    if (validate(value)) return [];
  } catch (error) {
    return tooCostly(error);
  }
  // An `if` reports the mismatch of its branch first; otherwise the outermost keyword helps most.
  const error = validate.errors?.findLast(({ keyword }) => keyword !== 'if');
  return error === undefined
    ? problem('json_schema', 'The value does not match the schema.')
    : mismatch(value, error);
}

function tooCostly(error: unknown): Problem[] {
  if (!(error instanceof WorkExhausted) && !(error instanceof RangeError)) throw error;
  return problem('too_costly', 'Validating the value against its schema takes too long.');
}

function mismatch(value: unknown, error: ErrorObject): Problem[] {
  const params = error.params as Record<string, unknown>;
  const named =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const path = valuePath(value, error.instancePath);
  if (typeof named === 'string') path.push(named);
  return [
    { path, code: 'json_schema', message: `The value ${error.message ?? 'does not match the schema'}.` },
  ];
}

/** Path of a JSON pointer; list indexes are numbers. */
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
  // Insertion order is the order of use.
  knownByText.delete(text);
  knownByText.set(text, known);
  const [oldest] = knownByText.keys();
  if (oldest !== undefined && knownByText.size > knownMaximum) knownByText.delete(oldest);
  return known;
}

function examine(schema: JsonSchema, text: string): KnownSchema {
  const refused = (problems: readonly Problem[]): KnownSchema => ({ problems, validate: null });
  if (Buffer.byteLength(text) > limits.jsonSchemaBytes)
    return refused(
      problem('too_large', `A schema can have at most ${limits.jsonSchemaBytes} bytes of JSON.`),
    );
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
    return refused(problem('too_complex', 'The schema is too complex.'));
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
