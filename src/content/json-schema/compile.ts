import { assertions } from './assertions.js';
import { Evaluation, type Mismatch, type SchemaNode, type Step } from './evaluation.js';
import type { SchemaPart } from './read-schema.js';
import { stepFactories, type StepInput } from './steps.js';

/** Units of work for applying a part, without its keywords. */
const partWork = 20;

/** Returns the first mismatch of a value. @throws WorkExhausted, RangeError */
export type Validate = (value: unknown) => Mismatch | undefined;

/** Interprets the schema: generating code for it takes up to a thousand times longer. */
export function compileSchema(root: SchemaPart, parts: readonly SchemaPart[]): Validate {
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
