import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export interface DocumentParts {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Of `@skip` and `@include`. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Nodes by response key, in the order of the result. */
export type SelectedFields = ReadonlyMap<string, readonly FieldNode[]>;

const isIncluded = (node: SelectionNode, { variables }: DocumentParts): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

function appliesTo(typeName: string | undefined, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  if (typeName === undefined || typeName === type.name) return true;
  const condition = schema.getType(typeName);
  return isAbstractType(condition) && schema.isSubType(condition, type);
}

/** The fields that selections select of a type: fragments inlined, equal response keys together. */
export function selectedFields(
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
