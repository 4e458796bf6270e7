import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  isInterfaceType,
  isObjectType,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { limits } from '../../../../contracts/limits.js';

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * Computes a value once per fragment, so that analyses are linear in document length. Inside itself a cyclic
 * fragment counts as `none`; validation rejects it.
 */
export class PerFragment<T> {
  readonly #known = new Map<string, T>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly compute: (fragment: FragmentDefinitionNode) => T,
    private readonly none: T,
  ) {}

  of(name: string): T {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return this.none;
    this.#known.set(name, this.none);
    const result = this.compute(fragment);
    this.#known.set(name, result);
    return result;
  }
}

/** `extensions` of a field. */
interface FieldCost {
  /** Cost of the field itself; defaults to 1. */
  readonly complexity?: number;
  /** Its selection costs once per ten items of the page. */
  readonly isPageItems?: boolean;
}

interface Cost {
  readonly once: number;
  readonly perTenItems: number;
}

const nothing: Cost = { once: 0, perTenItems: 0 };
const clamp = (cost: number): number => Math.min(cost, Number.MAX_SAFE_INTEGER);

function combine(costs: readonly Cost[]): Cost {
  let { once, perTenItems } = nothing;
  for (const cost of costs) {
    once = clamp(once + cost.once);
    perTenItems = clamp(perTenItems + cost.perTenItems);
  }
  return { once, perTenItems };
}

interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Maximum items of a collection field. */
  pageLength(field: FieldNode): number;
}

/**
 * Cost by rule graphql/costs: scalar 1, reference or single entry 5, collection 10, page selection × ceil(limit / 10);
 * `items`, `__typename` and introspection are free. Linear in document length.
 */
export function complexityOf({ schema, document, operation, pageLength }: CostedOperation): number {
  const typeByName = (name: string): GraphQLNamedType | undefined => schema.getType(name);
  const perFragment = new PerFragment(
    fragmentsOf(document),
    ({ selectionSet, typeCondition }) => ofSet(selectionSet, typeByName(typeCondition.name.value)),
    nothing,
  );

  function ofSet(set: SelectionSetNode | undefined, type: GraphQLNamedType | undefined): Cost {
    if (set === undefined) return nothing;
    return combine(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) return perFragment.of(selection.name.value);
        if (selection.kind === Kind.FIELD) return ofField(selection, type);
        const { typeCondition } = selection;
        return ofSet(selection.selectionSet, typeCondition ? typeByName(typeCondition.name.value) : type);
      }),
    );
  }

  function ofField(field: FieldNode, type: GraphQLNamedType | undefined): Cost {
    const hasFields = isObjectType(type) || isInterfaceType(type);
    const definition = hasFields ? type.getFields()[field.name.value] : undefined;
    if (definition === undefined) return nothing;
    const { complexity = 1, isPageItems = false } = definition.extensions as FieldCost;
    const below = ofSet(field.selectionSet, getNamedType(definition.type));
    if (isPageItems) return { once: complexity, perTenItems: below.once };
    const pages = below.perTenItems === 0 ? 0 : below.perTenItems * Math.ceil(pageLength(field) / 10);
    return { once: clamp(complexity + below.once + pages), perTenItems: 0 };
  }

  return ofSet(operation.selectionSet, schema.getQueryType() ?? undefined).once;
}

/** Configurable limits (specification section 8). */
export interface QueryLimits {
  /** Depth after inlining fragments, without `__typename`. */
  readonly maxQueryDepth: number;
  /** Rule graphql/costs. */
  readonly maxComplexity: number;
  /** References followed from a root entry. */
  readonly maxReferenceDepth: number;
}

/** Fixed limits, above any meaningful query. */
export const guards = {
  tokens: limits.queryTokens,
  aliases: limits.queryAliases,
  directives: limits.queryAliases,
  /** About 2,000 overflow the parser's stack. */
  nestedBrackets: limits.jsonDepth,
  /** The standard introspection query has 13. */
  introspectionDepth: 20,
  /** The standard query has 2: types and fields. */
  introspectionLists: 2,
  /** After inlining fragments; the standard query has about 200. */
  introspectionSize: 500,
  /** After inlining fragments, which can grow exponentially. */
  inlinedFields: 5000,
  validationErrors: 10,
  /** Nested entries included: bounds memory. */
  entriesPerResult: 10_000,
  /** Aliases can repeat a long text in every entry. */
  charactersPerResult: 67_108_864,
} as const;

/** Approximate characters of a number, boolean or null. */
const PLAIN_LENGTH = 8;

/** Whether the JSON exceeds `maximum` characters, ignoring escapes. */
export function isLongerThan(value: unknown, maximum: number): boolean {
  let rest = maximum;
  const count = (part: unknown): void => {
    if (rest < 0) return;
    if (typeof part === 'string') rest -= part.length + 2;
    else if (Array.isArray(part)) for (const item of part) count(item);
    else if (typeof part === 'object' && part !== null) {
      for (const key in part) {
        rest -= key.length + 4;
        count((part as Readonly<Record<string, unknown>>)[key]);
      }
    } else rest -= PLAIN_LENGTH;
  };
  count(value);
  return rest < 0;
}
