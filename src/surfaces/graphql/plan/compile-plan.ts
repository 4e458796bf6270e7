import {
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
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
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';
import type { EntryFieldHints } from '../project/field-outputs.js';
import type { RequestReads } from '../reads/request-reads.js';

interface DocumentParts {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Of `@skip` and `@include`. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Nodes by response key, in the order of the result. */
type SelectedFields = ReadonlyMap<string, readonly FieldNode[]>;

const isIncluded = (node: SelectionNode, { variables }: DocumentParts): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

function appliesTo(typeName: string | undefined, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  if (typeName === undefined || typeName === type.name) return true;
  const condition = schema.getType(typeName);
  return isAbstractType(condition) && schema.isSubType(condition, type);
}

/** The fields that selections select of a type: fragments inlined, equal response keys together. */
function selectedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  parts: DocumentParts,
): SelectedFields {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, parts)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const known = fields.get(key);
        if (known === undefined) fields.set(key, [selection]);
        else known.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (appliesTo(selection.typeCondition?.name.value, type, parts.schema))
          collect(selection.selectionSet);
      } else {
        const fragment = parts.fragments.get(selection.name.value);
        if (fragment === undefined || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        if (appliesTo(fragment.typeCondition.name.value, type, parts.schema)) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return fields;
}

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
      /** Compiled with the first object of the type. Undefined for other types. @throws Uncovered */
      planOf(typeName: string): ObjectPlan | undefined;
    };

export interface QueryPlan {
  readonly root: ObjectPlan;
  /** Fields that have been compiled; each takes about 300 bytes. */
  fieldCount(): number;
}

/** Above it a plan is not worth its time and memory. */
export const MAXIMUM_PLAN_FIELDS = 2000;

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

  get count(): number {
    return this.#count;
  }

  object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    const held: ReadPlan[] = [];
    const fields = [...selectedFields(type, sets, this.parts)].map(([key, nodes]): FieldPlan => {
      this.#count += 1;
      const [node] = nodes;
      if (node === undefined || this.#count > MAXIMUM_PLAN_FIELDS) throw new Uncovered();
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
    return isAbstractType(type)
      ? this.#abstract(type, sets)
      : { kind: 'object', plan: this.object(type, sets) };
  }

  #abstract(type: GraphQLAbstractType, sets: readonly SelectionSetNode[]): ValuePlan {
    const { schema } = this.parts;
    const plans = new Map<string, ObjectPlan>();
    const planOf = (typeName: string): ObjectPlan | undefined => {
      const known = plans.get(typeName);
      if (known !== undefined) return known;
      const one = schema.getType(typeName);
      if (!isObjectType(one) || !schema.isSubType(type, one)) return undefined;
      const plan = this.object(one, sets);
      plans.set(typeName, plan);
      return plan;
    };
    return { kind: 'abstract', type, planOf };
  }
}

/** Whether objects of a value have held fields, or could. */
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
      return true;
  }
}

/**
 * Compiles the selection of an operation. Its fields are held, as each is an operation of the service.
 * @throws Uncovered
 */
export function compilePlan(operation: OperationDefinitionNode, parts: DocumentParts): QueryPlan {
  const type = parts.schema.getQueryType();
  if (!type) throw new Uncovered();
  const compiler = new PlanCompiler(parts);
  const { fields } = compiler.object(type, [operation.selectionSet]);
  let heldIndex = -1;
  const roots = fields.map((field) =>
    field.constant === undefined ? { ...field, heldIndex: (heldIndex += 1) } : field,
  );
  const root = { fields: roots, held: roots.filter((field) => field.constant === undefined) };
  return { root, fieldCount: () => compiler.count };
}
