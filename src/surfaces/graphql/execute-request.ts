import {
  execute,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  getArgumentValues,
  GraphQLError,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '../../../contracts/errors.js';
import type { ContentSource } from '../../../contracts/publishing/delivery/source-map.js';
import { limits as contractLimits } from '../../../contracts/limits.js';
import {
  fieldErrors,
  isServiceUnavailable,
  type MaskFailure,
  requestError,
  requestErrorFrom,
  type ResponseError,
} from './errors/request-error.js';
import { assertMayIntrospect } from './limits/measure-document.js';
import { isLongerThan, complexityOf, guards, type QueryLimits, fragmentsOf } from './limits/query-limits.js';
import type { RequestReads } from './reads/request-reads.js';
import { persistQuery, type GraphqlRequest } from './request-body.js';
import { prepareDocument, type PreparedDocument } from './prepared-document.js';
import type { CachedSchema } from './schema-cache.js';
import { argumentRanges, ignoredArguments } from './system/root-contracts.js';

/** Arguments after substituting variables. */
type RootArguments = ReadonlyMap<FieldNode, Readonly<Record<string, unknown>>>;

/** An item of `extensions.warnings`. */
interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Root fields, including those in fragments. */
function rootFields(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  const fields: FieldNode[] = [];
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}

/** @throws GraphqlRequestError `graphql_validation_failed` if a required argument has no value */
function rootArguments(
  schema: GraphQLSchema,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
  variables: Readonly<Record<string, unknown>>,
): RootArguments {
  const definitions = schema.getQueryType()?.getFields() ?? {};
  const values = new Map<FieldNode, Record<string, unknown>>();
  for (const field of rootFields(operation, fragmentsOf(document))) {
    const definition = definitions[field.name.value];
    if (definition === undefined) continue;
    try {
      values.set(field, getArgumentValues(definition, field, variables));
    } catch (error) {
      if (error instanceof GraphQLError) throw requestErrorFrom('graphql_validation_failed', [error]);
      throw error;
    }
  }
  return values;
}

/**
 * Checks values before reading (rule graphql/failures).
 * @throws GraphqlRequestError `graphql_validation_failed`; `preview_not_allowed` for delivery keys
 */
function assertRootArguments(values: RootArguments, mayPreview: boolean): void {
  for (const [field, given] of values) {
    for (const [name, { min, max }] of argumentRanges) {
      const actual = given[name];
      if (typeof actual !== 'number' || (actual >= min && actual <= max)) continue;
      const bounds = max === Infinity ? `${min} or more` : `between ${min} and ${max}`;
      const message = `Argument "${name}" of "${field.name.value}" must be ${bounds}.`;
      throw requestError('graphql_validation_failed', message, { argument: name, actual });
    }
    if (given.preview === true && !mayPreview)
      throw requestError('preview_not_allowed', 'Delivery keys cannot read drafts. Use a preview key.');
  }
}

/** One warning per field and ignored argument (rule graphql/endpoint). */
function warningsOf(values: RootArguments): Warning[] {
  const warnings = new Map<string, Warning>();
  for (const [field, given] of values) {
    for (const [name, code] of ignoredArguments) {
      if (given[name] === undefined || given[name] === null) continue;
      const message = `Argument "${name}" of "${field.name.value}" is ignored. Collections return all entries, newest _updatedAt first.`;
      warnings.set(message, { code, message });
    }
  }
  return [...warnings.values()];
}

export interface GraphqlResult {
  readonly errors?: readonly ResponseError[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly extensions: {
    readonly complexity: number;
    readonly warnings?: readonly Warning[];
    /** By JSON pointer into `data`. */
    readonly contentSourceMaps?: Readonly<Record<string, ContentSource>>;
  };
}

export interface QueryParts {
  readonly project: CachedSchema;
  readonly limits: QueryLimits;
  /** Preview and management keys may introspect. */
  readonly isPrivileged: boolean;
  /** As may preview sessions. */
  readonly readsDrafts: boolean;
  readonly context: RequestReads;
  readonly mask: MaskFailure;
  /** The document, sent or stored. */
  readonly text: string;
}

function prepare({ text, project, limits, isPrivileged }: QueryParts): PreparedDocument {
  const known = project.documents.get(text);
  if (known !== undefined) {
    assertMayIntrospect(known.isIntrospection, isPrivileged);
    return known;
  }
  const prepared = prepareDocument(text, { schema: project.schema, limits, mayIntrospect: isPrivileged });
  project.documents.set(text, prepared);
  return prepared;
}

function operationOf({ document }: PreparedDocument, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  const message =
    name === undefined
      ? 'The document has several operations. Name one in "operationName".'
      : 'The document has no operation with this name.';
  throw requestError('graphql_validation_failed', message);
}

/** Null counts as absent. */
const pageLengthIn = (given: RootArguments) => (field: Parameters<RootArguments['get']>[0]) =>
  (given.get(field)?.limit as number | null | undefined) ?? contractLimits.pageLimitDefault;

/** @throws GraphqlRequestError 400 if a check fails; AppError 503 if nothing could be read */
export async function executeRequest(request: GraphqlRequest, parts: QueryParts): Promise<GraphqlResult> {
  const { project, limits, isPrivileged, readsDrafts, context } = parts;
  const { schema } = project;
  const prepared = prepare(parts);
  persistQuery(request, project);
  const { document } = prepared;
  const operation = operationOf(prepared, request.operationName);
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables, {
    maxErrors: guards.validationErrors,
    hideSuggestions: !isPrivileged,
  });
  if (variables.coerced === undefined) throw requestErrorFrom('graphql_validation_failed', variables.errors);
  const given = rootArguments(schema, { document, operation }, variables.coerced);
  assertRootArguments(given, readsDrafts);
  const complexity = complexityOf({ schema, document, operation, pageLength: pageLengthIn(given) });
  if (complexity > limits.maxComplexity) {
    const facts = { max: limits.maxComplexity, actual: complexity };
    throw requestError(
      'query_complexity_exceeded',
      `The query complexity is ${complexity}. The maximum is ${limits.maxComplexity}.`,
      facts,
    );
  }
  const warnings = warningsOf(given);
  context.readOnly(prepared.fieldNames);
  const { data = null, errors = [] } = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
  });
  return checkResult(
    {
      data,
      errors: fieldErrors(errors, parts.mask),
      extensions: {
        complexity,
        ...(warnings.length > 0 && { warnings }),
        ...(context.sources?.form === 'json' && { contentSourceMaps: context.sources.found }),
      },
    },
    context,
  );
}

const tooLarge = (message: string, facts: Record<string, number>) =>
  requestError('query_complexity_exceeded', message, facts);

/** Checks that need the result. */
function checkResult(result: Required<GraphqlResult>, context: RequestReads): GraphqlResult {
  const { entriesPerResult: maxEntries, charactersPerResult: maxCharacters } = guards;
  if (context.isOverLimit) throw tooLarge(`The result has more than ${maxEntries} entries.`, { maxEntries });
  if (isLongerThan(result.data, maxCharacters))
    throw tooLarge(`The result has more than ${maxCharacters} characters.`, { maxCharacters });
  if (isServiceUnavailable(result.data, result.errors)) throw new AppError('service_unavailable');
  const { errors, ...rest } = result;
  return errors.length === 0 ? rest : result;
}
