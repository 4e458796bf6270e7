import { AppError } from '../../contracts/errors.js';
import { toDatabaseFailure } from '../persistence/work/unit-of-work.js';

/**
 * The one mapper from the database's failures to ours. SQL, values and file names stay behind as the
 * cause, for the log.
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

/** Runs `work`, its database failures mapped. */
export async function mapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapFailure(error);
  }
}
