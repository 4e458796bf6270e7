import {
  Kind,
  print,
  type ASTNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

const printAll = (nodes: readonly ASTNode[] | undefined): string =>
  (nodes ?? []).map((node) => print(node)).join(' ');

/** Equal keys can be merged. */
function keyOf(selection: SelectionNode): string {
  const directives = printAll(selection.directives);
  if (selection.kind === Kind.FRAGMENT_SPREAD) return `...${selection.name.value} ${directives}`;
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return `... on ${selection.typeCondition?.name.value ?? ''} ${directives}`;
  const { alias, name, selectionSet } = selection;
  return `${alias?.value ?? ''}:${name.value}(${printAll(selection.arguments)}) ${directives} ${selectionSet === undefined}`;
}

/** Inlines fragments without type condition and directives. */
function flatten(selections: readonly SelectionNode[]): SelectionNode[] {
  return selections.flatMap((selection) => {
    const isPlain =
      selection.kind === Kind.INLINE_FRAGMENT && !selection.typeCondition && !selection.directives?.length;
    return isPlain ? flatten(selection.selectionSet.selections) : [selection];
  });
}

function mergeGroup(group: readonly SelectionNode[]): SelectionNode | undefined {
  const [first] = group;
  if (first === undefined || first.kind === Kind.FRAGMENT_SPREAD || first.selectionSet === undefined)
    return first;
  const selections = group.flatMap((node) =>
    'selectionSet' in node ? (node.selectionSet?.selections ?? []) : [],
  );
  return { ...first, selectionSet: { ...first.selectionSet, selections: merge(selections) } };
}

function merge(selections: readonly SelectionNode[]): SelectionNode[] {
  const groups = new Map<string, SelectionNode[]>();
  for (const selection of flatten(selections)) {
    const key = keyOf(selection);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [selection]);
    else group.push(selection);
  }
  return [...groups.values()].flatMap((group) => mergeGroup(group) ?? []);
}

const mergeSet = (set: SelectionSetNode): SelectionSetNode => ({
  ...set,
  selections: merge(set.selections),
});

/**
 * Merges repeated selections, since validation compares all pairs of fields with one name. Preserves validity, not
 * the order of fields: never execute the result.
 */
export function mergeSelections(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    'selectionSet' in definition
      ? { ...definition, selectionSet: mergeSet(definition.selectionSet) }
      : definition,
  );
  return { ...document, definitions };
}
