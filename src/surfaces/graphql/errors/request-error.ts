import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { AppError, failureBody } from '../../../../contracts/errors.js';
import type { ErrorCode } from '../../../../contracts/error-codes.js';
import { toAppError } from '../../../../contracts/procedure.js';

/** Messages quote names of any length from the query. */
const MAXIMUM_MESSAGE_LENGTH = 500;

export interface ResponseError extends GraphQLFormattedError {
  readonly extensions: { readonly code: ErrorCode } & Record<string, unknown>;
}

const shorten = (message: string): string =>
  message.length <= MAXIMUM_MESSAGE_LENGTH ? message : `${message.slice(0, MAXIMUM_MESSAGE_LENGTH)}…`;

/** Fails a request before execution, with all reasons (rule graphql/failures). */
export class GraphqlRequestError extends AppError {
  constructor(
    code: ErrorCode,
    readonly errors: readonly ResponseError[],
    details?: unknown,
  ) {
    super(code, details, errors[0]?.message);
  }
}

/** An error with one reason. `facts` are sent in `details` and `extensions`. */
export function requestError(
  code: ErrorCode,
  message: string,
  facts: Record<string, unknown> = {},
): GraphqlRequestError {
  const details = Object.keys(facts).length === 0 ? undefined : facts;
  return new GraphqlRequestError(code, [{ message, extensions: { code, ...facts } }], details);
}

/** For syntax, validation and variable errors of graphql-js. */
export function requestErrorFrom(code: ErrorCode, errors: readonly GraphQLError[]): GraphqlRequestError {
  return new GraphqlRequestError(
    code,
    errors.map(({ message, locations }) => ({
      message: shorten(message),
      ...(locations && { locations }),
      extensions: { code },
    })),
  );
}

const factsOf = (details: unknown): Record<string, unknown> =>
  typeof details === 'object' && details !== null && !Array.isArray(details) ? { ...details } : {};

function responseErrorOf(error: AppError): ResponseError {
  return { message: error.message, extensions: { ...factsOf(error.details), code: error.code } };
}

/** REST's failure envelope with GraphQL's `errors` (rule graphql/failures). */
export function requestErrorBody(error: AppError): Record<string, unknown> {
  const errors = error instanceof GraphqlRequestError ? error.errors : [responseErrorOf(error)];
  return { ...failureBody(error), errors };
}

/** Logs an unexpected failure and adds the request id. */
export type MaskFailure = (error: AppError, cause: unknown) => AppError;

/** Execution errors with code and details. Unexpected ones are masked and logged once per cause. */
export function fieldErrors(errors: readonly GraphQLError[], mask: MaskFailure): ResponseError[] {
  const known = new Map<unknown, AppError>();
  return errors.map(({ originalError, message, locations, path }) => {
    const cause = originalError ?? message;
    const failure = known.get(cause) ?? mask(toAppError(originalError), cause);
    known.set(cause, failure);
    return { ...responseErrorOf(failure), ...(locations && { locations }), ...(path && { path }) };
  });
}

/** Whether no field has a value because the database was unavailable. */
export function isServiceUnavailable(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly ResponseError[],
): boolean {
  const hasNoData = Object.values(data ?? {}).every((value) => value === null);
  return hasNoData && errors.some(({ extensions }) => extensions.code === 'service_unavailable');
}
