import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  print,
  type ASTNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  assertMayIntrospect,
  usesIntrospection,
  measureDocument,
  type DocumentMeasure,
} from './limits/measure-document.js';
import { requestError, requestErrorFrom } from './errors/request-error.js';
import { guards, type QueryLimits } from './limits/query-limits.js';
import type { PlanCache } from './plan/plan-cache.js';
import { PreparedDocument } from './prepared-operation.js';

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
function assertParsable(query: string, { maxQueryDepth }: QueryLimits): void {
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
function mergeSelections(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    'selectionSet' in definition
      ? { ...definition, selectionSet: mergeSet(definition.selectionSet) }
      : definition,
  );
  return { ...document, definitions };
}

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly plans: PlanCache;
  readonly limits: QueryLimits;
  /** Otherwise errors suggest no names of the schema. */
  readonly mayIntrospect: boolean;
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: guards.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw requestErrorFrom('graphql_parse_failed', [error]);
    if (error instanceof RangeError)
      throw requestError('graphql_parse_failed', 'The document is nested too deeply.');
    throw error;
  }
}

/** Before validation, which is quadratic in them. */
function assertCounts(document: DocumentNode): void {
  const actual = { aliases: 0, directives: 0 };
  visit(document, {
    Field: ({ alias }) => {
      if (alias !== undefined) actual.aliases += 1;
    },
    Directive: () => {
      actual.directives += 1;
    },
  });
  for (const kind of ['aliases', 'directives'] as const) {
    if (actual[kind] <= guards[kind]) continue;
    const facts = { limit: kind, max: guards[kind], actual: actual[kind] };
    throw requestError(
      'graphql_validation_failed',
      `The query has ${actual[kind]} ${kind}. The maximum is ${guards[kind]}.`,
      facts,
    );
  }
}

/** Introspection results grow with the schema, hence lower limits. */
function assertIntrospectionSize({ introspectionLists, introspectionSize }: DocumentMeasure): void {
  if (introspectionLists > guards.introspectionLists) {
    const facts = { max: guards.introspectionLists, actual: introspectionLists };
    throw requestError(
      'query_depth_exceeded',
      `Introspection lists are nested ${facts.actual} levels deep. The maximum is ${facts.max}.`,
      facts,
    );
  }
  if (introspectionSize > guards.introspectionSize) {
    const facts = { max: guards.introspectionSize, actual: introspectionSize };
    throw requestError(
      'query_complexity_exceeded',
      `The query has ${facts.actual} introspection fields. The maximum is ${facts.max}.`,
      facts,
    );
  }
}

function assertSize(document: DocumentNode, { maxQueryDepth, maxComplexity }: QueryLimits): void {
  const measure = measureDocument(document);
  const { depth, introspectionDepth, size } = measure;
  const max = introspectionDepth > guards.introspectionDepth ? guards.introspectionDepth : maxQueryDepth;
  const actual = introspectionDepth > guards.introspectionDepth ? introspectionDepth : depth;
  if (actual > max) {
    throw requestError('query_depth_exceeded', `The query is ${actual} levels deep. The maximum is ${max}.`, {
      max,
      actual,
    });
  }
  assertIntrospectionSize(measure);
  if (size > guards.inlinedFields) {
    const message = `The query has ${size} fields after inlining fragments. The maximum is ${guards.inlinedFields}.`;
    throw requestError('query_complexity_exceeded', message, { max: maxComplexity, actual: size });
  }
}

function assertQueriesOnly(document: DocumentNode): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === OperationTypeNode.QUERY)
      continue;
    throw requestError(
      'graphql_validation_failed',
      `The schema has no ${definition.operation}. Use REST to change content.`,
    );
  }
}

function assertValid(document: DocumentNode, { schema, mayIntrospect }: DocumentRules): void {
  const options = { maxErrors: guards.validationErrors, hideSuggestions: !mayIntrospect };
  const errors = validate(schema, mergeSelections(document), specifiedRules, options);
  if (errors.length > 0)
    throw requestErrorFrom('graphql_validation_failed', errors.slice(0, guards.validationErrors));
}

/**
 * Parses and checks a document, cheapest checks first.
 * @throws GraphqlRequestError `graphql_parse_failed`, `query_depth_exceeded`, `introspection_disabled`,
 * `graphql_validation_failed`, `query_complexity_exceeded`
 */
export function prepareDocument(query: string, rules: DocumentRules): PreparedDocument {
  assertParsable(query, rules.limits);
  const document = parseDocument(query);
  assertCounts(document);
  assertSize(document, rules.limits);
  assertMayIntrospect(usesIntrospection(document), rules.mayIntrospect);
  assertQueriesOnly(document);
  assertValid(document, rules);
  return new PreparedDocument(document, { schema: rules.schema, plans: rules.plans });
}
