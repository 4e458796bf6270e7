import {
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  visit,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { EntryFieldHints } from '../project/field-outputs.js';
import type { RequestReads } from '../reads/request-reads.js';
import { selectedFields, type DocumentParts } from './selected-fields.js';

/**
 * How a selection of one type is executed: first what is read, for all objects at once, then the text of each object.
 * A plan covers results without errors; what it does not cover is executed by graphql-js.
 */
export interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
  /** Fields that are read before anything is written, or that contain some; in the order of `Visit.held`. */
  readonly held: readonly ReadPlan[];
}

interface NamedPlan {
  /** Response key as JSON, with a colon. */
  readonly head: string;
}

/** `__typename`: the same for each object. */
interface ConstantPlan extends NamedPlan {
  readonly constant: string;
}

export interface ReadPlan extends NamedPlan {
  readonly constant: undefined;
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, RequestReads>;
  readonly readEach: EntryFieldHints['readEach'];
  readonly storedText: EntryFieldHints['storedText'];
  readonly value: ValuePlan;
  /** Of its value in `Visit.held`; -1 for what is read while it is written. */
  readonly heldIndex: number;
  /** Whether the objects in its value have held fields. */
  readonly isDeep: boolean;
}

export type FieldPlan = ConstantPlan | ReadPlan;

export type ValuePlan =
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly items: ValuePlan }
  | { readonly kind: 'nonNull'; readonly of: ValuePlan }
  | { readonly kind: 'object'; readonly plan: ObjectPlan }
  | {
      readonly kind: 'abstract';
      readonly type: GraphQLAbstractType;
      readonly plans: ReadonlyMap<string, ObjectPlan>;
    };

/** Above it a plan is not worth its memory. */
const MAXIMUM_FIELDS = 10_000;

/** The document has more than a plan covers. */
export class Uncovered extends Error {
  override readonly name = 'Uncovered';
}

/** Names of the variables that `@skip` and `@include` use. */
export function conditionVariables(node: Parameters<typeof visit>[0]): string[] {
  const names = new Set<string>();
  visit(node, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names].sort();
}

class PlanCompiler {
  #count = 0;

  constructor(private readonly parts: DocumentParts) {}

  object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    const held: ReadPlan[] = [];
    const fields = [...selectedFields(type, sets, this.parts)].map(([key, nodes]): FieldPlan => {
      this.#count += 1;
      const [node] = nodes;
      if (node === undefined || this.#count > MAXIMUM_FIELDS) throw new Uncovered();
      const head = `${JSON.stringify(key)}:`;
      if (node.name.value === '__typename') return { head, constant: JSON.stringify(type.name) };
      const definition = type.getFields()[node.name.value];
      if (definition === undefined) throw new Uncovered();
      const value = this.#value(definition.type, nodes);
      const { readEach, storedText } = definition.extensions as EntryFieldHints;
      const isDeep = containsReads(value);
      const isHeld = readEach !== undefined || isDeep;
      const heldIndex = isHeld ? held.length : -1;
      const reading = { readEach, storedText, value, heldIndex, isDeep };
      const field = { head, constant: undefined, node, definition, ...reading };
      if (isHeld) held.push(field);
      return field;
    });
    return { fields, held };
  }

  #value(type: GraphQLOutputType, nodes: readonly FieldNode[]): ValuePlan {
    if (isNonNullType(type)) return { kind: 'nonNull', of: this.#value(type.ofType, nodes) };
    if (isListType(type)) return { kind: 'list', items: this.#value(type.ofType, nodes) };
    if (isLeafType(type)) return { kind: 'leaf', type };
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const planOf = (one: GraphQLObjectType): ObjectPlan => this.object(one, sets);
    if (!isAbstractType(type)) return { kind: 'object', plan: planOf(type) };
    const possible = this.parts.schema.getPossibleTypes(type);
    return { kind: 'abstract', type, plans: new Map(possible.map((one) => [one.name, planOf(one)])) };
  }
}

/** Whether objects of a value have held fields. */
function containsReads(value: ValuePlan): boolean {
  switch (value.kind) {
    case 'leaf':
      return false;
    case 'list':
      return containsReads(value.items);
    case 'nonNull':
      return containsReads(value.of);
    case 'object':
      return value.plan.held.length > 0;
    case 'abstract':
      return [...value.plans.values()].some(({ held }) => held.length > 0);
  }
}

/**
 * Compiles the selection of an operation. Its fields are held, as each is an operation of the service.
 * @throws Uncovered
 */
export function compilePlan(operation: OperationDefinitionNode, parts: DocumentParts): ObjectPlan {
  const type = parts.schema.getQueryType();
  if (!type) throw new Uncovered();
  const { fields } = new PlanCompiler(parts).object(type, [operation.selectionSet]);
  let heldIndex = -1;
  const roots = fields.map((field) =>
    field.constant === undefined ? { ...field, heldIndex: (heldIndex += 1) } : field,
  );
  return { fields: roots, held: roots.filter((field) => field.constant === undefined) };
}
