import { describe, expect, it } from '@jest/globals';
import type { GraphQLObjectType } from 'graphql';
import { buildSchema, execute, isAbstractType, Kind, parse, validate } from 'graphql';
import {
  compilePlan,
  type ObjectPlan,
  type ValuePlan,
} from '../../src/surfaces/graphql/plan/compile-plan.js';
import { runPlan } from '../../src/surfaces/graphql/plan/run-plan.js';
import type { RequestReads } from '../../src/surfaces/graphql/reads/request-reads.js';
import { sampled } from '../support/extent.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';
import { choices, randomQuery, type Choose } from './random-query.js';

/** Lists of what is read later have nullable items: graphql-js leaves rejections of others unhandled. */
const schema = buildSchema(`
  type Query { node: Node needed: Node! any: Any anyNeeded: Any! nodes: [Node] shapes: [Shape] deep: [[Int!]]! }
  interface Any { name: String size: Int! }
  union Shape = Node | Leaf
  type Node implements Any { id: ID! name: String size: Int! next: Node other: Any list: [Node] leaves: [Leaf!]! names: [String!] sizes: [Float] isOn: Boolean! far: Node shapes: [Shape] }
  type Leaf implements Any { name: String size: Int! color: Color! colors: [Color!]! }
  enum Color { RED GREEN }
`);

/** Values, right and wrong ones, of every kind. */
class RandomValues {
  constructor(private readonly choose: Choose) {}

  object(depth: number, typeName = this.choose(2) === 0 ? 'Node' : 'Leaf'): unknown {
    if (this.choose(12) === 0) return null;
    const type = schema.getType(typeName) as GraphQLObjectType;
    const own = Object.keys(type.getFields()).map((name) => [name, this.value(name, depth + 1)]);
    return { ...(Object.fromEntries(own) as object), typeName };
  }

  value(name: string, depth: number): unknown {
    if (this.choose(14) === 0) return [null, undefined, new Error('wrong'), Number.NaN][this.choose(4)];
    const some = (make: () => unknown): unknown[] => Array.from({ length: this.choose(3) }, make);
    const nested = (): unknown => (depth > 3 ? null : this.object(depth));
    if (['node', 'needed', 'next', 'other', 'far', 'any', 'anyNeeded'].includes(name)) return nested();
    if (['nodes', 'list', 'shapes'].includes(name)) return some(nested);
    if (name === 'leaves') return some(() => this.object(depth, 'Leaf'));
    if (name === 'deep') return some(() => some(() => this.choose(9)));
    if (name === 'names') return some(() => ['"quoted"', null, 'ü\u2028'][this.choose(3)]);
    if (name === 'sizes') return some(() => [1.5, null, -0, 'x'][this.choose(4)]);
    if (name === 'colors') return some(() => ['RED', 'GREEN', 'BLUE'][this.choose(30) % 3]);
    if (name === 'color') return ['RED', 'GREEN', 'RED', 'BLUE'][this.choose(4)];
    if (name === 'isOn') return this.choose(2) === 0;
    if (name === 'size') return [1, 2 ** 31, 3, 4][this.choose(8)] ?? 7;
    return ['text', 7, true, ''][this.choose(4)];
  }
}

for (const type of Object.values(schema.getTypeMap()))
  if (isAbstractType(type)) type.resolveType = (value: { typeName: string }) => value.typeName;

/** Fields that are read for all objects at once. */
const { far, list, other } = (schema.getType('Node') as GraphQLObjectType).getFields();
for (const field of [far, list, other])
  if (field !== undefined) {
    const read = (source: unknown): unknown => (source as Record<string, unknown>)[field.name];
    field.resolve = (source) => Promise.resolve(read(source));
    field.extensions = {
      readEach: (sources: readonly unknown[]) => Promise.resolve(sources.map(read)),
    };
  }

for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}))
  field.resolve = (_source, _args, values: Record<string, unknown>) => values[field.name];

interface Answer {
  readonly data: unknown;
  readonly hasErrors: boolean;
}

async function interpreted(
  query: string,
  variables: Record<string, boolean>,
  contextValue: unknown,
): Promise<Answer> {
  const { data, errors = [] } = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    contextValue,
  });
  return { data: JSON.parse(JSON.stringify(data)) as unknown, hasErrors: errors.length > 0 };
}

function planOf(query: string, variables: Record<string, boolean>): ObjectPlan {
  const document = parse(query);
  const [operation] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const fragments = document.definitions.flatMap((one) =>
    one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  return compilePlan(operation, { schema, fragments: new Map(fragments), variables }).root;
}

/** The answer of a plan; undefined where it leaves the answer to graphql-js. */
async function planned(plan: ObjectPlan, values: unknown): Promise<unknown> {
  const parts = { context: values as RequestReads, variables: {}, maximumCharacters: 1_000_000 };
  try {
    return JSON.parse(await runPlan(plan, parts)) as unknown;
  } catch {
    return undefined;
  }
}

interface Case {
  readonly query: string;
  readonly variables: Record<string, boolean>;
  readonly values: Record<string, unknown>;
}

function caseOf(choose: Choose): Case {
  const { query, variables } = randomQuery(schema, {}, choose);
  const random = new RandomValues(choose);
  const names = Object.keys(schema.getQueryType()?.getFields() ?? {});
  const values = Object.fromEntries(names.map((name) => [name, random.value(name, 0)]));
  return { query, variables, values };
}

/** How a plan and graphql-js differ in random cases; the first difference is thrown. */
async function compare(
  change: (plan: ObjectPlan) => ObjectPlan,
): Promise<{ compared: number; errors: number }> {
  let [compared, errors] = [0, 0];
  await fc.assert(
    fc.asyncProperty(choices.map(caseOf), async ({ query, variables, values }) => {
      if (validate(schema, parse(query)).length > 0) return;
      const expected = await interpreted(query, variables, values);
      const answer = await planned(change(planOf(query, variables)), values);
      if (expected.hasErrors) errors += 1;
      if (answer === undefined) {
        expect(expected.hasErrors).toBe(true);
        return;
      }
      compared += 1;
      expect({ data: answer, hasErrors: false }).toEqual(expected);
      expect(JSON.stringify(answer)).toBe(JSON.stringify(expected.data));
    }),
    // Smaller choices make quite other queries.
    { numRuns: sampled(1000, 20_000), endOnFailure: true },
  );
  return { compared, errors };
}

/** A wrong rule: null is allowed everywhere. */
function withoutNonNull(plan: ObjectPlan): ObjectPlan {
  const ofValue = (value: ValuePlan): ValuePlan => {
    if (value.kind === 'nonNull') return ofValue(value.of);
    if (value.kind === 'list') return { ...value, items: ofValue(value.items) };
    return value;
  };
  const fields = plan.fields.map((field) =>
    field.constant === undefined ? { ...field, value: ofValue(field.value) } : field,
  );
  return { fields, held: fields.filter((field) => field.constant === undefined) };
}

describe('The plan of a query', () => {
  verifies('graphql/plans');

  it('writes what graphql-js answers, and leaves each answer with an error to it', async () => {
    const { compared, errors } = await compare((plan) => plan);
    expect(compared).toBeGreaterThan(200);
    expect(errors).toBeGreaterThan(200);
  }, 600_000);

  it('is found to be wrong if null is written where the schema has none', async () => {
    await expect(compare(withoutNonNull)).rejects.toThrow('Property failed');
  }, 600_000);
});
