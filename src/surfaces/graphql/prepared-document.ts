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
import { assertMayIntrospect, usesIntrospection } from './limits/introspection.js';
import { measureDocument, type DocumentMeasure } from './limits/measure-document.js';
import { mergeSelections } from './limits/merge-selections.js';
import { assertParsable } from './limits/scan-nesting.js';
import { refusal, refusalOf } from './errors/request-error.js';
import { guards, type QueryLimits } from './limits/query-limits.js';

/** A document that parses, keeps the limits that depend on nothing but itself, and fits its schema. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly isIntrospection: boolean;
}

/** What a document is checked against. */
export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly limits: QueryLimits;
  /** Delivery keys neither see the schema nor are helped to guess it. */
  readonly mayIntrospect: boolean;
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: guards.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw refusalOf('graphql_parse_failed', [error]);
    if (error instanceof RangeError)
      throw refusal('graphql_parse_failed', 'The document is nested too deeply.');
    throw error;
  }
}

/** Refuses masses of aliases and directives before validation, whose time grows with their square. */
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
    throw refusal(
      'graphql_validation_failed',
      `The query has ${actual[kind]} ${kind}; ${guards[kind]} are allowed.`,
      facts,
    );
  }
}

/** Introspection costs what the schema is large, so its own bounds are narrower than those of content. */
function assertIntrospectionSize({ introspectionLists, introspectionSize }: DocumentMeasure): void {
  if (introspectionLists > guards.introspectionLists) {
    const facts = { max: guards.introspectionLists, actual: introspectionLists };
    throw refusal(
      'query_depth_exceeded',
      `Lists of introspection are nested ${facts.actual} levels deep; ${facts.max} are allowed.`,
      facts,
    );
  }
  if (introspectionSize > guards.introspectionSize) {
    const facts = { max: guards.introspectionSize, actual: introspectionSize };
    throw refusal(
      'query_complexity_exceeded',
      `The query has ${facts.actual} fields of introspection; ${facts.max} are allowed.`,
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
    throw refusal('query_depth_exceeded', `The query is ${actual} levels deep; ${max} are allowed.`, {
      max,
      actual,
    });
  }
  assertIntrospectionSize(measure);
  if (size > guards.inlinedFields) {
    const message = `The query has ${size} fields once its fragments are in place.`;
    throw refusal('query_complexity_exceeded', message, { max: maxComplexity, actual: size });
  }
}

function assertQueriesOnly(document: DocumentNode): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === OperationTypeNode.QUERY)
      continue;
    throw refusal(
      'graphql_validation_failed',
      `There is no ${definition.operation} in this schema: content is changed through REST.`,
    );
  }
}

function assertValid(document: DocumentNode, { schema, mayIntrospect }: DocumentRules): void {
  const options = { maxErrors: guards.validationErrors, hideSuggestions: !mayIntrospect };
  const errors = validate(schema, mergeSelections(document), specifiedRules, options);
  if (errors.length > 0)
    throw refusalOf('graphql_validation_failed', errors.slice(0, guards.validationErrors));
}

/**
 * Parses and checks a document, cheapest checks first, so that a hostile one costs milliseconds.
 * @throws GraphqlRefusal `graphql_parse_failed`, `query_depth_exceeded`, `introspection_disabled`,
 * `graphql_validation_failed`, `query_complexity_exceeded`
 */
export function prepareDocument(query: string, rules: DocumentRules): PreparedDocument {
  assertParsable(query, rules.limits);
  const document = parsed(query);
  assertCounts(document);
  assertSize(document, rules.limits);
  const isIntrospection = usesIntrospection(document);
  assertMayIntrospect(isIntrospection, rules.mayIntrospect);
  assertQueriesOnly(document);
  assertValid(document, rules);
  return { document, isIntrospection };
}
