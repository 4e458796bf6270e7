import { AppError } from '../../contracts/errors.js';
import { toDatabaseFailure } from '../persistence/work/unit-of-work.js';

/**
 * Maps database failures to error codes. SQL, values and file names stay in the cause, for the log only.
 */
function mapFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const failure = toDatabaseFailure(error);
  switch (failure?.kind) {
    case 'unavailable':
    case 'retry':
      return new AppError('service_unavailable');
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

/** Runs `work` and maps the database failures that it throws. */
export async function mapDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapFailure(error);
  }
}
