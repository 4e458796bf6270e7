import {
  Kind,
  print,
  type ASTNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

const printed = (nodes: readonly ASTNode[] | undefined): string =>
  (nodes ?? []).map((node) => print(node)).join(' ');

/** Selections of equal key ask for the same and can stand as one. */
function keyOf(selection: SelectionNode): string {
  const directives = printed(selection.directives);
  if (selection.kind === Kind.FRAGMENT_SPREAD) return `...${selection.name.value} ${directives}`;
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return `... on ${selection.typeCondition?.name.value ?? ''} ${directives}`;
  const { alias, name, selectionSet } = selection;
  return `${alias?.value ?? ''}:${name.value}(${printed(selection.arguments)}) ${directives} ${selectionSet === undefined}`;
}

/** Inline fragments that neither narrow nor skip are the selections they hold. */
function flattened(selections: readonly SelectionNode[]): SelectionNode[] {
  return selections.flatMap((selection) => {
    const isPlain =
      selection.kind === Kind.INLINE_FRAGMENT && !selection.typeCondition && !selection.directives?.length;
    return isPlain ? flattened(selection.selectionSet.selections) : [selection];
  });
}

function joined(group: readonly SelectionNode[]): SelectionNode | undefined {
  const [first] = group;
  if (first === undefined || first.kind === Kind.FRAGMENT_SPREAD || first.selectionSet === undefined)
    return first;
  const selections = group.flatMap((node) =>
    'selectionSet' in node ? (node.selectionSet?.selections ?? []) : [],
  );
  return { ...first, selectionSet: { ...first.selectionSet, selections: merged(selections) } };
}

function merged(selections: readonly SelectionNode[]): SelectionNode[] {
  const groups = new Map<string, SelectionNode[]>();
  for (const selection of flattened(selections)) {
    const key = keyOf(selection);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [selection]);
    else group.push(selection);
  }
  return [...groups.values()].flatMap((group) => joined(group) ?? []);
}

const mergedSet = (set: SelectionSetNode): SelectionSetNode => ({
  ...set,
  selections: merged(set.selections),
});

/**
 * The document with repeated selections merged, for validation: its rule on overlapping fields compares every
 * pair of fields of one name, so that repetitions are slow to check and soon refused. Valid exactly when
 * the document itself is. Not for execution, which keeps the order of fields as written.
 */
export function mergeSelections(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    'selectionSet' in definition
      ? { ...definition, selectionSet: mergedSet(definition.selectionSet) }
      : definition,
  );
  return { ...document, definitions };
}
