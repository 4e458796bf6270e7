import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf, PerFragment } from './fragments.js';

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

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Maximum items of a collection field. */
  pageLength(field: FieldNode): number;
}

/**
 * Cost by decisions 2.25: scalar 1, reference or single entry 5, collection 10, page selection × ceil(limit / 10);
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
