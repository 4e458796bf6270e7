import { execute, getOperationAST, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { AppError } from '../../../contracts/errors.js';
import { limits as contractLimits } from '../../../contracts/limits.js';
import { answerErrors, isServiceAway, type MaskFailure } from './errors/field-errors.js';
import { assertMayIntrospect } from './limits/introspection.js';
import { isLongerThan } from './limits/result-size.js';
import { complexityOf } from './limits/complexity.js';
import {
  assertRootArguments,
  rootArguments,
  warningsOf,
  type RootArguments,
  type Warning,
} from './limits/root-arguments.js';
import type { ReadContext } from './reads/read-context.js';
import { persistQuery, queryTextOf } from './persisted-query.js';
import { prepareDocument, type PreparedDocument } from './prepared-document.js';
import type { CachedSchema } from './schema-cache.js';
import { refusal, refusalOf, type AnswerError } from './errors/request-error.js';
import type { GraphqlRequest } from './request-body.js';
import { guards, type QueryLimits } from './limits/query-limits.js';

/** The body of an answer. */
export interface GraphqlAnswer {
  readonly errors?: readonly AnswerError[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly extensions: { readonly complexity: number; readonly warnings?: readonly Warning[] };
}

/** What a request is answered with. */
export interface QueryParts {
  readonly project: CachedSchema;
  readonly limits: QueryLimits;
  /** Preview and management keys: they may introspect and read drafts. */
  readonly isPrivileged: boolean;
  readonly context: ReadContext;
  readonly mask: MaskFailure;
}

function preparedOf(query: string, { project, limits, isPrivileged }: QueryParts): PreparedDocument {
  const known = project.documents.get(query);
  if (known !== undefined) {
    assertMayIntrospect(known.isIntrospection, isPrivileged);
    return known;
  }
  const prepared = prepareDocument(query, { schema: project.schema, limits, mayIntrospect: isPrivileged });
  project.documents.set(query, prepared);
  return prepared;
}

function operationOf({ document }: PreparedDocument, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  const message =
    name === undefined
      ? 'Name one of the operations in "operationName".'
      : 'There is no operation of this name.';
  throw refusal('graphql_validation_failed', message);
}

/** Items that the page of a collection may hold; null counts as left out. */
const pageLengthIn = (given: RootArguments) => (field: Parameters<RootArguments['get']>[0]) =>
  (given.get(field)?.limit as number | null | undefined) ?? contractLimits.pageLimitDefault;

/**
 * Answers one request: every check first, then the reads.
 * @throws GraphqlRefusal 400 for what the checks refuse; AppError 503 where nothing could be read
 */
export async function answerQuery(request: GraphqlRequest, parts: QueryParts): Promise<GraphqlAnswer> {
  const { project, limits, isPrivileged, context } = parts;
  const { schema } = project;
  const prepared = preparedOf(queryTextOf(request, project), parts);
  persistQuery(request, project);
  const { document } = prepared;
  const operation = operationOf(prepared, request.operationName);
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables, {
    maxErrors: guards.validationErrors,
    hideSuggestions: !isPrivileged,
  });
  if (variables.coerced === undefined) throw refusalOf('graphql_validation_failed', variables.errors);
  const given = rootArguments(schema, { document, operation }, variables.coerced);
  assertRootArguments(given, isPrivileged);
  const complexity = complexityOf({ schema, document, operation, pageLength: pageLengthIn(given) });
  if (complexity > limits.maxComplexity) {
    const facts = { max: limits.maxComplexity, actual: complexity };
    throw refusal(
      'query_complexity_exceeded',
      `The query costs ${complexity}; ${limits.maxComplexity} is allowed.`,
      facts,
    );
  }
  const warnings = warningsOf(given);
  const { data = null, errors = [] } = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
  });
  return checked(
    {
      data,
      errors: answerErrors(errors, parts.mask),
      extensions: { complexity, ...(warnings.length > 0 && { warnings }) },
    },
    context,
  );
}

const tooLarge = (message: string, facts: Record<string, number>) =>
  refusal('query_complexity_exceeded', message, facts);

/** The answer, unless execution showed that there is none. */
function checked(answer: Required<GraphqlAnswer>, context: ReadContext): GraphqlAnswer {
  const { entriesPerAnswer: maxEntries, charactersPerAnswer: maxCharacters } = guards;
  if (context.isOverfull)
    throw tooLarge(`The answer would hold more than ${maxEntries} entries.`, { maxEntries });
  if (isLongerThan(answer.data, maxCharacters))
    throw tooLarge(`The answer would hold more than ${maxCharacters} characters.`, { maxCharacters });
  if (isServiceAway(answer.data, answer.errors)) throw new AppError('service_unavailable');
  const { errors, ...rest } = answer;
  return errors.length === 0 ? rest : answer;
}
