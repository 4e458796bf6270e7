import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';
import { assertions } from './assertions.js';
import { Evaluation, type Mismatch, type SchemaNode, type Step } from './evaluation.js';
import { readSchema, checkEndless, checkExpansion, type SchemaPart } from './read-schema.js';
import { stepFactories, type StepInput } from './steps.js';
import { checkKeywordValues, checkPatterns } from './keyword-values.js';
import type { JsonSchema } from './shape.js';
import { WorkExhausted } from './work.js';

/** Units of work for applying a part, without its keywords. */
const partWork = 20;

/** Returns the first mismatch of a value. @throws WorkExhausted, RangeError */
type Validate = (value: unknown) => Mismatch | undefined;

/** Interprets the schema: generating code for it takes up to a thousand times longer. */
function compileSchema(root: SchemaPart, parts: readonly SchemaPart[]): Validate {
  const nodes = new Map(parts.map((part) => [part, createNode(part)]));
  for (const [part, node] of nodes) node.steps = stepsOf(part, nodes);
  const node = nodes.get(root);
  if (node === undefined) throw new Error('The root is not among the parts');
  return (value) => {
    const evaluation = new Evaluation();
    return evaluation.apply(node, value) ? undefined : evaluation.mismatch;
  };
}

function createNode({ source, children }: SchemaPart): SchemaNode {
  const given = typeof source === 'boolean' ? {} : source;
  const checks = Object.entries(assertions).flatMap(([keyword, create]) =>
    Object.hasOwn(given, keyword) ? [create(given[keyword])] : [],
  );
  return {
    isFalse: source === false,
    work: partWork * (1 + checks.length) + children.length,
    assertions: checks,
    steps: [],
    tracksSeen: 'unevaluatedProperties' in given || 'unevaluatedItems' in given,
  };
}

function stepsOf(part: SchemaPart, nodes: ReadonlyMap<SchemaPart, SchemaNode>): Step[] {
  if (typeof part.source === 'boolean' || (part.children.length === 0 && part.reference === null)) return [];
  const byKeyword = Map.groupBy(part.children, ({ keyword }) => keyword);
  const held: StepInput['held'] = (keyword) =>
    (byKeyword.get(keyword) ?? []).flatMap(({ key, part: child }) => {
      const node = nodes.get(child);
      return node === undefined ? [] : [[key ?? '', node] as const];
    });
  const input: StepInput = {
    source: part.source,
    held,
    one: (keyword) => held(keyword)[0]?.[1],
    reference: part.reference === null ? undefined : nodes.get(part.reference),
  };
  return stepFactories.flatMap((create) => create(input) ?? []);
}

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
