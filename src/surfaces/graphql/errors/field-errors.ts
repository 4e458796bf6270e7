import type { GraphQLError } from 'graphql';
import type { AppError } from '../../../../contracts/errors.js';
import { toAppError } from '../../../../contracts/procedure.js';
import { responseErrorOf, type ResponseError } from './request-error.js';

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
