import type { GraphQLError } from 'graphql';
import type { AppError } from '../../../../contracts/errors.js';
import { toAppError } from '../../../../contracts/procedure.js';
import { answerErrorOf, type AnswerError } from './request-error.js';

/** Gives an unforeseen failure the id of the request and logs it. */
export type MaskFailure = (error: AppError, cause: unknown) => AppError;

/**
 * Errors of execution as they are answered: code and details of our own failures; everything else, graphql-js's
 * complaints about a resolver included, is masked and goes to the log once per cause.
 */
export function answerErrors(errors: readonly GraphQLError[], mask: MaskFailure): AnswerError[] {
  const known = new Map<unknown, AppError>();
  return errors.map(({ originalError, message, locations, path }) => {
    const cause = originalError ?? message;
    const failure = known.get(cause) ?? mask(toAppError(originalError), cause);
    known.set(cause, failure);
    return { ...answerErrorOf(failure), ...(locations && { locations }), ...(path && { path }) };
  });
}

/** Whether the database was away for everything that was asked. */
export function isServiceAway(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly AnswerError[],
): boolean {
  const isNothing = Object.values(data ?? {}).every((value) => value === null);
  return isNothing && errors.some(({ extensions }) => extensions.code === 'service_unavailable');
}
