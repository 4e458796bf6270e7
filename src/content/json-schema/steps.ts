import { isRecord, keysOf, patternTest } from './assertions.js';
import type { Evaluation, SchemaNode, Step } from './evaluation.js';
import { spendWork } from './work.js';

/** The subschemas of a part by keyword and key. */
export interface StepInput {
  readonly source: Readonly<Record<string, unknown>>;
  /** Nodes of a keyword with several schemas, in order. */
  readonly held: (keyword: string) => readonly (readonly [key: string, node: SchemaNode])[];
  /** The node of a keyword with one schema. */
  readonly one: (keyword: string) => SchemaNode | undefined;
  readonly reference: SchemaNode | undefined;
}

/** Undefined if the part does not have the keyword. */
type StepFactory = (input: StepInput) => Step | undefined;

const itemsOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? (value as unknown[]) : undefined;

const nodesOf = (input: StepInput, keyword: string): SchemaNode[] | undefined => {
  const nodes = input.held(keyword).map(([, node]) => node);
  return nodes.length === 0 ? undefined : nodes;
};

const reference: StepFactory = ({ reference: node }) =>
  node && ((evaluation, value, seen) => evaluation.apply(node, value, seen));

const allOf: StepFactory = (input) => {
  const nodes = nodesOf(input, 'allOf');
  return nodes && ((evaluation, value, seen) => nodes.every((node) => evaluation.apply(node, value, seen)));
};

const anyOf: StepFactory = (input) => {
  const nodes = nodesOf(input, 'anyOf');
  return (
    nodes &&
    ((evaluation, value, seen) => {
      // Every matching branch counts for what is evaluated.
      let isMatched = false;
      for (const node of nodes) {
        if (isMatched && seen === undefined) break;
        if (evaluation.matches(node, value, seen)) isMatched = true;
      }
      return isMatched || evaluation.fail('must match a schema in anyOf');
    })
  );
};

const oneOf: StepFactory = (input) => {
  const nodes = nodesOf(input, 'oneOf');
  return (
    nodes &&
    ((evaluation, value, seen) => {
      let count = 0;
      for (const node of nodes) {
        if (evaluation.matches(node, value, seen)) count += 1;
        if (count > 1) break;
      }
      return count === 1 || evaluation.fail('must match exactly one schema in oneOf');
    })
  );
};

const not: StepFactory = ({ one }) => {
  const node = one('not');
  return (
    node && ((evaluation, value) => !evaluation.matches(node, value) || evaluation.fail('must NOT be valid'))
  );
};

const conditional: StepFactory = ({ one }) => {
  const condition = one('if');
  const yes = one('then');
  const no = one('else');
  return (
    condition &&
    ((evaluation, value, seen) => {
      const branch = evaluation.matches(condition, value, seen) ? yes : no;
      return branch === undefined || evaluation.apply(branch, value, seen);
    })
  );
};

const dependentSchemas: StepFactory = ({ held }) => {
  const dependents = held('dependentSchemas');
  if (dependents.length === 0) return undefined;
  return (evaluation, value, seen) =>
    !isRecord(value) ||
    dependents.every(([key, node]) => !Object.hasOwn(value, key) || evaluation.apply(node, value, seen));
};

const properties: StepFactory = ({ held }) => {
  const known = held('properties');
  if (known.length === 0) return undefined;
  return (evaluation, value, seen) =>
    !isRecord(value) ||
    known.every(([key, node]) => {
      if (!Object.hasOwn(value, key)) return true;
      seen?.addKey(key);
      return evaluation.applyBelow(node, value[key], key);
    });
};

const patternsOf = ({ held }: StepInput) =>
  held('patternProperties').map(([pattern, node]) => ({ test: patternTest(pattern), node }));

const patternProperties: StepFactory = (input) => {
  const patterns = patternsOf(input);
  if (patterns.length === 0) return undefined;
  return (evaluation, value, seen) =>
    !isRecord(value) ||
    keysOf(value).every((key) =>
      patterns.every(({ test, node }) => {
        if (!test(key)) return true;
        seen?.addKey(key);
        return evaluation.applyBelow(node, value[key], key);
      }),
    );
};

/** A schema that nothing matches is about the key. */
const applyToKey = (
  evaluation: Evaluation,
  node: SchemaNode,
  [key, value, kind]: [string, unknown, string],
) =>
  node.isFalse
    ? evaluation.fail(`must NOT have ${kind} properties`, key)
    : evaluation.applyBelow(node, value, key);

const additionalProperties: StepFactory = (input) => {
  const node = input.one('additionalProperties');
  if (node === undefined) return undefined;
  const known = new Set(input.held('properties').map(([key]) => key));
  const patterns = patternsOf(input);
  return (evaluation, value, seen) => {
    if (!isRecord(value)) return true;
    seen?.addAllKeys();
    return keysOf(value)
      .filter((key) => !known.has(key) && !patterns.some(({ test }) => test(key)))
      .every((key) => applyToKey(evaluation, node, [key, value[key], 'additional']));
  };
};

const propertyNames: StepFactory = ({ one }) => {
  const node = one('propertyNames');
  return (
    node &&
    ((evaluation, value) =>
      !isRecord(value) ||
      keysOf(value).every(
        (key) => evaluation.matches(node, key) || evaluation.fail('property name must be valid', key),
      ))
  );
};

const prefixItems: StepFactory = (input) => {
  const nodes = nodesOf(input, 'prefixItems');
  return (
    nodes &&
    ((evaluation, value, seen) => {
      seen?.addItemsBelow(nodes.length);
      return (
        itemsOf(value)
          ?.slice(0, nodes.length)
          .every((item, index) => {
            const node = nodes[index];
            return node === undefined || evaluation.applyBelow(node, item, index);
          }) ?? true
      );
    })
  );
};

const items: StepFactory = (input) => {
  const node = input.one('items');
  const start = input.held('prefixItems').length;
  return (
    node &&
    ((evaluation, value, seen) => {
      const list = itemsOf(value);
      if (list === undefined) return true;
      seen?.addItemsBelow(list.length);
      if (node.isFalse)
        return list.length <= start || evaluation.fail(`must NOT have more than ${String(start)} items`);
      for (let index = start; index < list.length; index += 1)
        if (!evaluation.applyBelow(node, list[index], index)) return false;
      return true;
    })
  );
};

const contains: StepFactory = ({ one, source }) => {
  const node = one('contains');
  const minimum = Number(source.minContains ?? 1);
  const maximum = Number(source.maxContains ?? Infinity);
  return (
    node &&
    ((evaluation, value, seen) => {
      const list = itemsOf(value);
      if (list === undefined) return true;
      let count = 0;
      for (const [index, item] of list.entries()) {
        if (!evaluation.matches(node, item)) continue;
        seen?.addIndex(index);
        count += 1;
      }
      const most = maximum === Infinity ? '' : ` and no more than ${String(maximum)}`;
      const message = `must contain at least ${String(minimum)}${most} valid item(s)`;
      return (count >= minimum && count <= maximum) || evaluation.fail(message);
    })
  );
};

const unevaluatedProperties: StepFactory = ({ one }) => {
  const node = one('unevaluatedProperties');
  return (
    node &&
    ((evaluation, value, seen) => {
      if (!isRecord(value) || seen === undefined) return true;
      const left = keysOf(value).filter((key) => !seen.hasKey(key));
      seen.addAllKeys();
      return left.every((key) => applyToKey(evaluation, node, [key, value[key], 'unevaluated']));
    })
  );
};

const unevaluatedItems: StepFactory = ({ one }) => {
  const node = one('unevaluatedItems');
  return (
    node &&
    ((evaluation, value, seen) => {
      const list = itemsOf(value);
      if (list === undefined || seen === undefined) return true;
      spendWork(list.length);
      const left = list.flatMap((_item, index) => (seen.hasIndex(index) ? [] : [index]));
      seen.addItemsBelow(list.length);
      if (node.isFalse && left.length > 0) return evaluation.fail('must NOT have unevaluated items');
      return left.every((index) => evaluation.applyBelow(node, list[index], index));
    })
  );
};

/** In the order of their application; those of unevaluated values are last. */
export const stepFactories: readonly StepFactory[] = [
  reference,
  allOf,
  anyOf,
  oneOf,
  not,
  conditional,
  dependentSchemas,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  prefixItems,
  items,
  contains,
  unevaluatedProperties,
  unevaluatedItems,
];
