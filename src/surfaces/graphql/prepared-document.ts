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
} from 'graphql';
import {
  assertMayIntrospect,
  usesIntrospection,
  measureDocument,
  type DocumentMeasure,
} from './limits/measure-document.js';
import { mergeSelections, assertParsable } from './limits/scan-nesting.js';
import { requestError, requestErrorFrom } from './errors/request-error.js';
import { guards, type QueryLimits } from './limits/query-limits.js';

/** Valid for a schema and within all limits that do not depend on variables. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly isIntrospection: boolean;
  /** Names of all fields that it selects, sorted. */
  readonly fieldNames: readonly string[];
}

export interface DocumentRules {
  readonly schema: GraphQLSchema;
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

function fieldNamesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Field: ({ name }) => {
      names.add(name.value);
    },
  });
  return [...names].sort();
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
  const isIntrospection = usesIntrospection(document);
  assertMayIntrospect(isIntrospection, rules.mayIntrospect);
  assertQueriesOnly(document);
  assertValid(document, rules);
  return { document, isIntrospection, fieldNames: fieldNamesOf(document) };
}
