import {
  getArgumentValues,
  GraphQLID,
  GraphQLString,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { EntryNode } from '../reads/entry-node.js';
import type { RequestReads } from '../reads/request-reads.js';
import { Uncovered, type FieldPlan, type ObjectPlan, type ReadPlan, type ValuePlan } from './compile-plan.js';

/** An object whose fields are read before it is written. */
interface Visit {
  readonly plan: ObjectPlan;
  readonly source: unknown;
  /** Values of the held fields; objects with held fields are visits. */
  readonly held: unknown[];
}

type Arguments = Readonly<Record<string, unknown>>;

/** What is given to fields that need none of it. */
const noInfo = undefined as unknown as GraphQLResolveInfo;
const noArguments: Arguments = {};

const isPromise = (value: unknown): boolean => value instanceof Promise;

/** @throws Uncovered for a failure, and for what is read later than it is expected */
function assertSettled(value: unknown): void {
  if (isPromise(value) || value instanceof Error) throw new Uncovered();
}

/** @throws Uncovered for a value that makes an error */
function leafText(value: unknown, type: GraphQLLeafType): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string' && (type === GraphQLString || type === GraphQLID))
    return JSON.stringify(value);
  const result: unknown = type.serialize(value);
  if (result === null || result === undefined) throw new Uncovered();
  return JSON.stringify(result);
}

export interface PlanRunParts {
  readonly context: RequestReads;
  /** Coerced. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of the result. */
  readonly maximumCharacters: number;
}

/** Executes a plan once. */
class PlanRun {
  readonly #arguments = new Map<ReadPlan, Arguments>();

  constructor(private readonly parts: PlanRunParts) {}

  /** Reads the held fields of objects of one selection, and then those of the objects in them. */
  async settle(plan: ObjectPlan, visits: readonly Visit[]): Promise<void> {
    await Promise.all(
      plan.held.map(async (field, index) => {
        const values = await this.#valuesOf(field, visits);
        const below = new Map<ObjectPlan, Visit[]>();
        visits.forEach(({ held }, position) => {
          const value = values[position];
          held[index] = field.isDeep ? this.#visited(value, field.value, below) : value;
        });
        await Promise.all([...below].map(([nested, found]) => this.settle(nested, found)));
      }),
    );
  }

  #valuesOf(field: ReadPlan, visits: readonly Visit[]): Promise<readonly unknown[]> | readonly unknown[] {
    const { readEach } = field;
    if (readEach !== undefined)
      return readEach(
        visits.map(({ source }) => source as EntryNode),
        this.parts.context,
      );
    const values = visits.map(({ source }) => this.#resolve(field, source));
    return values.some(isPromise) ? Promise.all(values) : values;
  }

  /** The value with a visit in place of each object. */
  #visited(value: unknown, plan: ValuePlan, below: Map<ObjectPlan, Visit[]>): unknown {
    if (plan.kind === 'nonNull') return this.#visited(value, plan.of, below);
    if (value === null || value === undefined) return null;
    assertSettled(value);
    if (plan.kind === 'list') {
      if (!Array.isArray(value)) throw new Uncovered();
      return value.map((item) => this.#visited(item, plan.items, below));
    }
    const own = this.#planOf(value, plan);
    const visit: Visit = { plan: own, source: value, held: [] };
    if (own.held.length > 0) {
      const known = below.get(own);
      if (known === undefined) below.set(own, [visit]);
      else known.push(visit);
    }
    return visit;
  }

  #planOf(value: unknown, plan: ValuePlan): ObjectPlan {
    if (plan.kind === 'object') return plan.plan;
    if (plan.kind !== 'abstract') throw new Uncovered();
    const own = plan.planOf(this.#typeNameOf(value, plan.type));
    if (own === undefined) throw new Uncovered();
    return own;
  }

  #typeNameOf(value: unknown, type: GraphQLAbstractType): string {
    const name: unknown = type.resolveType?.(value, this.parts.context, noInfo, type);
    if (typeof name !== 'string') throw new Uncovered();
    return name;
  }

  write({ plan, source, held }: Visit): string {
    const { maximumCharacters } = this.parts;
    let text = '{';
    for (const field of plan.fields) {
      text += text.length === 1 ? field.head : `,${field.head}`;
      text += this.#field(field, source, held);
      if (text.length > maximumCharacters) throw new TooLong();
    }
    return `${text}}`;
  }

  #field(field: FieldPlan, source: unknown, held: readonly unknown[]): string {
    if (field.constant !== undefined) return field.constant;
    const { value, heldIndex, storedText, isDeep } = field;
    if (heldIndex >= 0) return this.#value(held[heldIndex], value, isDeep);
    const stored = storedText?.(source as EntryNode);
    return stored ?? this.#value(this.#resolve(field, source), value, false);
  }

  /** @param isVisited whether objects in it are visits */
  #value(value: unknown, plan: ValuePlan, isVisited: boolean): string {
    if (plan.kind === 'nonNull') {
      if (value === null || value === undefined) throw new Uncovered();
      return this.#value(value, plan.of, isVisited);
    }
    if (value === null || value === undefined) return 'null';
    assertSettled(value);
    if (plan.kind === 'leaf') return leafText(value, plan.type);
    if (plan.kind === 'list') return this.#list(value, plan.items, isVisited);
    if (isVisited) return this.write(value as Visit);
    return this.write({ plan: this.#planOf(value, plan), source: value, held: [] });
  }

  #list(value: unknown, items: ValuePlan, isVisited: boolean): string {
    if (!Array.isArray(value)) throw new Uncovered();
    const { maximumCharacters } = this.parts;
    let text = '[';
    for (const item of value) {
      if (text.length > 1) text += ',';
      text += this.#value(item, items, isVisited);
      if (text.length > maximumCharacters) throw new TooLong();
    }
    return `${text}]`;
  }

  #resolve(field: ReadPlan, source: unknown): unknown {
    const { resolve, name } = field.definition;
    if (resolve !== undefined) return resolve(source, this.#argumentsOf(field), this.parts.context, noInfo);
    const value = (source as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'function') throw new Uncovered();
    return value;
  }

  #argumentsOf(field: ReadPlan): Arguments {
    const { definition, node } = field;
    if (definition.args.length === 0) return noArguments;
    const known = this.#arguments.get(field);
    if (known !== undefined) return known;
    const values = getArgumentValues(
      definition as GraphQLField<unknown, unknown>,
      node,
      this.parts.variables,
    );
    this.#arguments.set(field, values);
    return values;
  }
}

/** The result has more characters than a response may have. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/**
 * The data of a result as JSON.
 * @throws TooLong; whatever a field that fails throws, and Uncovered, where graphql-js has to say what the result is
 */
export async function runPlan(plan: ObjectPlan, parts: PlanRunParts): Promise<string> {
  const run = new PlanRun(parts);
  const root: Visit = { plan, source: undefined, held: [] };
  await run.settle(plan, [root]);
  return run.write(root);
}
