import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import { compileSchema, type Validate } from './compile.js';
import { checkEndless, checkExpansion } from './expansion.js';
import { checkKeywordValues, checkPatterns } from './keyword-values.js';
import { readSchema } from './read-schema.js';
import type { JsonSchema } from './shape.js';
import { WorkExhausted } from './work.js';

export type { JsonSchema } from './shape.js';
export { renewWork, spentWork, workBudget } from './work.js';

interface KnownSchema {
  readonly problems: readonly Problem[];
  readonly validate: Validate | null;
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

/** Whether a check of this object costs nothing more. */
export const isKnownSchema = (schema: JsonSchema): boolean => knownByObject.has(schema);

/** Returns the first mismatch. Spends the budget that {@link renewWork} reset. */
export function checkAgainstSchema(value: unknown, schema: JsonSchema): Problem[] {
  const { validate } = know(schema);
  if (validate === null) return problem('unusable_schema', 'The schema of the field is not usable.');
  try {
    const mismatch = validate(value);
    if (mismatch === undefined) return [];
    const { path, message } = mismatch;
    return [{ path: [...path], code: 'json_schema', message: `The value ${message}.` }];
  } catch (error) {
    if (!(error instanceof WorkExhausted) && !(error instanceof RangeError)) throw error;
    return problem('schema_too_complex', 'Validating the value against its schema takes too long.');
  }
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
  const unfit = checkKeywordValues(parts);
  if (unfit.length > 0) return refused(unfit);
  const costly = [...checkEndless(parts), ...checkExpansion(root)];
  if (costly.length > 0) return refused(costly);
  const patterns = checkPatterns(parts);
  return patterns.length > 0 ? refused(patterns) : { problems: [], validate: compileSchema(root, parts) };
}
