import { requestError } from '../errors/request-error.js';
import { guards, type QueryLimits } from './query-limits.js';
import {
  Kind,
  print,
  type ASTNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Offset of the last character; the end of the query if unclosed. */
function endOfString(query: string, start: number): number {
  if (!query.startsWith('"""', start)) {
    let at = start + 1;
    while (at < query.length && query[at] !== '"' && query[at] !== '\n') at += query[at] === '\\' ? 2 : 1;
    return at;
  }
  let at = query.indexOf('"""', start + 3);
  while (at > 0 && query[at - 1] === '\\') at = query.indexOf('"""', at + 3);
  return at < 0 ? query.length : at + 2;
}

function endOfComment(query: string, start: number): number {
  const at = query.indexOf('\n', start);
  return at < 0 ? query.length : at;
}

/** Outside strings and comments. */
function nestingOf(query: string): { brackets: number; braces: number } {
  const deepest = { brackets: 0, braces: 0 };
  let brackets = 0;
  let braces = 0;
  for (let at = 0; at < query.length; at += 1) {
    const character = query[at];
    if (character === '"') at = endOfString(query, at);
    else if (character === '#') at = endOfComment(query, at);
    else if (character === '{' || character === '(' || character === '[') {
      brackets += 1;
      if (character === '{') braces += 1;
      deepest.brackets = Math.max(deepest.brackets, brackets);
      deepest.braces = Math.max(deepest.braces, braces);
    } else if (character === '}' || character === ')' || character === ']') {
      brackets -= 1;
      if (character === '}') braces -= 1;
    }
  }
  return deepest;
}

/**
 * Rejects nesting that could overflow the parser.
 * @throws GraphqlRequestError `query_depth_exceeded` {max, actual} for selection sets, else `graphql_parse_failed`
 */
export function assertParsable(query: string, { maxQueryDepth }: QueryLimits): void {
  const { brackets, braces } = nestingOf(query);
  if (brackets <= guards.nestedBrackets) return;
  if (braces > guards.nestedBrackets) {
    throw requestError(
      'query_depth_exceeded',
      `The query is nested ${braces} levels deep. The maximum is ${maxQueryDepth}.`,
      {
        max: maxQueryDepth,
        actual: braces,
      },
    );
  }
  throw requestError(
    'graphql_parse_failed',
    `Brackets are nested too deeply. The maximum is ${guards.nestedBrackets}.`,
  );
}

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
