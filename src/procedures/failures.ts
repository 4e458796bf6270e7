import { AppError } from '../../contracts/errors.js';
import { toDatabaseFailure, type DatabaseFailure } from '../persistence/work/unit-of-work.js';

const UNKNOWN_OUTCOME =
  'The connection to the database was lost during the commit, so the change may have been saved. ' +
  'Check before you repeat the request; a REST request with an Idempotency-Key is safe to repeat.';

/** The cause is for the log. A full queue has none: it says nothing about the database. */
function unavailable(failure: DatabaseFailure): AppError {
  const error = failure.isOutcomeUnknown
    ? new AppError('service_unavailable', { outcome: 'unknown' }, UNKNOWN_OUTCOME)
    : new AppError('service_unavailable');
  if (failure.cause !== undefined) error.cause = failure;
  return error;
}

/** SQL, values and file names are kept for the log only. */
function mapFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const failure = toDatabaseFailure(error);
  switch (failure?.kind) {
    case 'unavailable':
    case 'retry':
      return unavailable(failure);
    case 'conflict':
      return new AppError('conflict');
    case 'invalid':
      return new AppError('validation_failed', {
        issues: [{ path: [], code: 'not_storable', message: 'A value cannot be stored.' }],
      });
    default:
      return error;
  }
}

/** Maps database failures to error codes. */
export async function mapDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw mapFailure(error);
  }
}
