import { AppError } from '../../contracts/errors.js';
import { toDatabaseFailure } from '../persistence/work/unit-of-work.js';

/** SQL, values and file names are kept for the log only. */
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

/** Maps database failures to error codes. */
export async function mapDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw mapFailure(error);
  }
}
