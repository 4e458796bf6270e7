import {
  execute,
  getVariableValues,
  getArgumentValues,
  GraphQLError,
  type FieldNode,
  type GraphQLSchema,
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
} from './errors/request-error.js';
import { assertMayIntrospect } from './limits/measure-document.js';
import { isLongerThan, guards, type QueryLimits } from './limits/query-limits.js';
import { runPlan, TooLong } from './plan/run-plan.js';
import type { PreparedDocument, PreparedOperation } from './prepared-operation.js';
import type { RequestReads } from './reads/request-reads.js';
import { persistQuery, type GraphqlRequest } from './request-body.js';
import { prepareDocument } from './prepare-document.js';
import type { CachedSchema } from './schema-cache.js';
import { argumentRanges, ignoredArguments } from './system/root-contracts.js';

/** Arguments after substituting variables. */
type RootArguments = ReadonlyMap<FieldNode, Readonly<Record<string, unknown>>>;

/** An item of `extensions.warnings`. */
interface Warning {
  readonly code: string;
  readonly message: string;
}

/** @throws GraphqlRequestError `graphql_validation_failed` if a required argument has no value */
function rootArguments(
  schema: GraphQLSchema,
  fields: readonly FieldNode[],
  variables: Readonly<Record<string, unknown>>,
): RootArguments {
  const definitions = schema.getQueryType()?.getFields() ?? {};
  const values = new Map<FieldNode, Record<string, unknown>>();
  for (const field of fields) {
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

interface Extensions {
  readonly complexity: number;
  readonly warnings?: readonly Warning[];
  /** By JSON pointer into `data`. */
  readonly contentSourceMaps?: Readonly<Record<string, ContentSource>>;
}

export interface GraphqlResult {
  /** JSON with `data`, `errors` if there are some, and `extensions`. */
  readonly text: string;
  readonly hasErrors: boolean;
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
  const prepared = prepareDocument(text, {
    schema: project.schema,
    plans: project.plans,
    limits,
    mayIntrospect: isPrivileged,
  });
  project.documents.set(text, prepared);
  return prepared;
}

/** Null counts as absent. */
const pageLengthIn = (given: RootArguments) => (field: FieldNode) =>
  (given.get(field)?.limit as number | null | undefined) ?? contractLimits.pageLimitDefault;

interface Execution {
  readonly prepared: PreparedDocument;
  readonly operation: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Extensions;
}

/** @throws GraphqlRequestError 400 if a check fails; AppError 503 if nothing could be read */
export async function executeRequest(request: GraphqlRequest, parts: QueryParts): Promise<GraphqlResult> {
  const { project, limits, isPrivileged, readsDrafts, context } = parts;
  const { schema } = project;
  const prepared = prepare(parts);
  persistQuery(request, project);
  const operation = prepared.operation(request.operationName);
  const variables = getVariableValues(schema, operation.node.variableDefinitions ?? [], request.variables, {
    maxErrors: guards.validationErrors,
    hideSuggestions: !isPrivileged,
  });
  if (variables.coerced === undefined) throw requestErrorFrom('graphql_validation_failed', variables.errors);
  const given = rootArguments(schema, operation.rootFields, variables.coerced);
  assertRootArguments(given, readsDrafts);
  const complexity = operation.complexity(pageLengthIn(given));
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
  const extensions = { complexity, ...(warnings.length > 0 && { warnings }) };
  const execution = { prepared, operation, variables: variables.coerced, extensions };
  return (await planned(execution, parts)) ?? interpreted(request, execution, parts);
}

const tooLarge = (message: string, facts: Record<string, number>) =>
  requestError('query_complexity_exceeded', message, facts);

function assertSize(context: RequestReads, isTooLong: boolean): void {
  const { entriesPerResult: maxEntries, charactersPerResult: maxCharacters } = guards;
  if (context.isOverLimit) throw tooLarge(`The result has more than ${maxEntries} entries.`, { maxEntries });
  if (isTooLong) throw tooLarge(`The result has more than ${maxCharacters} characters.`, { maxCharacters });
}

/** By the plan of the operation; undefined if there is none, or if the result has errors. */
async function planned(
  { operation, variables, extensions }: Execution,
  { context }: QueryParts,
): Promise<GraphqlResult | undefined> {
  // The sources of values are noted by the path of each.
  const plan = context.sources === undefined ? operation.plan(variables) : undefined;
  if (plan === undefined) return undefined;
  try {
    const data = await runPlan(plan.root, {
      context,
      variables,
      maximumCharacters: guards.charactersPerResult,
    });
    assertSize(context, false);
    return { text: `{"data":${data},"extensions":${JSON.stringify(extensions)}}`, hasErrors: false };
  } catch (error) {
    assertSize(context, error instanceof TooLong);
    context.restart();
    return undefined;
  }
}

/** By graphql-js, of what has been read already. */
async function interpreted(
  request: GraphqlRequest,
  { prepared: { document }, extensions }: Execution,
  { project: { schema }, context, mask }: QueryParts,
): Promise<GraphqlResult> {
  const { data = null, errors: failures = [] } = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
  });
  const errors = fieldErrors(failures, mask);
  assertSize(context, isLongerThan(data, guards.charactersPerResult));
  if (isServiceUnavailable(data, errors)) throw new AppError('service_unavailable');
  const { sources } = context;
  const maps = sources?.form === 'json' ? { contentSourceMaps: sources.found } : {};
  const result = {
    data,
    ...(errors.length > 0 && { errors }),
    extensions: { ...extensions, ...maps },
  };
  return { text: JSON.stringify(result), hasErrors: errors.length > 0 };
}
