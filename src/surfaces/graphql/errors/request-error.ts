import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { AppError, failureBody, type ErrorCode } from '../../../../contracts/errors.js';

/** Messages quote the query, which may have names of any length. */
const MAXIMUM_MESSAGE_LENGTH = 500;

/** An item of `errors`. */
export interface ResponseError extends GraphQLFormattedError {
  readonly extensions: { readonly code: ErrorCode } & Record<string, unknown>;
}

const shortened = (message: string): string =>
  message.length <= MAXIMUM_MESSAGE_LENGTH ? message : `${message.slice(0, MAXIMUM_MESSAGE_LENGTH)}…`;

/** A request that fails before execution, with every reason (decisions 2.30). */
export class GraphqlRequestError extends AppError {
  constructor(
    code: ErrorCode,
    readonly errors: readonly ResponseError[],
    details?: unknown,
  ) {
    super(code, details, errors[0]?.message);
  }
}

/** A request error for one reason. `facts` such as `{ max, actual }` are sent in `details` and `extensions`. */
export function requestError(
  code: ErrorCode,
  message: string,
  facts: Record<string, unknown> = {},
): GraphqlRequestError {
  const details = Object.keys(facts).length === 0 ? undefined : facts;
  return new GraphqlRequestError(code, [{ message, extensions: { code, ...facts } }], details);
}

/** A request error for syntax, validation or variable errors of graphql-js. */
export function requestErrorFrom(code: ErrorCode, errors: readonly GraphQLError[]): GraphqlRequestError {
  return new GraphqlRequestError(
    code,
    errors.map(({ message, locations }) => ({
      message: shortened(message),
      ...(locations && { locations }),
      extensions: { code },
    })),
  );
}

const factsOf = (details: unknown): Record<string, unknown> =>
  typeof details === 'object' && details !== null && !Array.isArray(details) ? { ...details } : {};

/** The item of `errors` for a failure: its code and details in `extensions`. */
export function responseErrorOf(error: AppError): ResponseError {
  return { message: error.message, extensions: { ...factsOf(error.details), code: error.code } };
}

/** A body with the failure envelope of REST and the `errors` of GraphQL (decisions 2.30). */
export function requestErrorBody(error: AppError): Record<string, unknown> {
  const errors = error instanceof GraphqlRequestError ? error.errors : [responseErrorOf(error)];
  return { ...failureBody(error), errors };
}
