import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { AppError, failureBody, type ErrorCode } from '../../../../contracts/errors.js';

/** Longest message that goes back to the caller: messages quote the query, which may hold a name of any length. */
const MAXIMUM_MESSAGE_LENGTH = 500;

/** One entry of `errors` as GraphQL clients read it; `code` is one of the table of failures. */
export interface AnswerError extends GraphQLFormattedError {
  readonly extensions: { readonly code: ErrorCode } & Record<string, unknown>;
}

/** A message of bounded length. */
const shortened = (message: string): string =>
  message.length <= MAXIMUM_MESSAGE_LENGTH ? message : `${message.slice(0, MAXIMUM_MESSAGE_LENGTH)}…`;

/** A request refused before execution (decisions 2.30), with each reason where there are several. */
export class GraphqlRefusal extends AppError {
  constructor(
    code: ErrorCode,
    readonly errors: readonly AnswerError[],
    details?: unknown,
  ) {
    super(code, details, errors[0]?.message);
  }
}

/** A refusal for one reason. `facts` (such as `{ max, actual }`) stand in `details` and in `extensions`. */
export function refusal(
  code: ErrorCode,
  message: string,
  facts: Record<string, unknown> = {},
): GraphqlRefusal {
  const details = Object.keys(facts).length === 0 ? undefined : facts;
  return new GraphqlRefusal(code, [{ message, extensions: { code, ...facts } }], details);
}

/** A refusal for what graphql-js found: syntax, validation, variables. */
export function refusalOf(code: ErrorCode, errors: readonly GraphQLError[]): GraphqlRefusal {
  return new GraphqlRefusal(
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

/** The entry of `errors` that a failure makes: its details beside its code. */
export function answerErrorOf(error: AppError): AnswerError {
  return { message: error.message, extensions: { ...factsOf(error.details), code: error.code } };
}

/** Body of a failure in both styles at once: the envelope of REST and the `errors` of GraphQL (decisions 2.30). */
export function refusalBody(error: AppError): Record<string, unknown> {
  const errors = error instanceof GraphqlRefusal ? error.errors : [answerErrorOf(error)];
  return { ...failureBody(error), errors };
}
