import { ConfigError } from '../config/config.js';
import { DatabaseFailure, toDatabaseFailure } from '../../persistence/work/unit-of-work.js';

/** Advice by SQL state for a wrong DATABASE_URL. */
const advice: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the role may not log in',
  '3D000': 'the database does not exist: create it first',
  '25006': 'it is read-only: DATABASE_URL must name the primary',
  '42501': 'the role lacks a privilege: DATABASE_URL must name the owner of the database',
};

/** One line that says why the process cannot start and what to do. */
export function describeStartupFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const failure = error instanceof DatabaseFailure ? error : toDatabaseFailure(error);
  if (failure !== undefined) {
    const reason = advice[failure.sqlState ?? ''] ?? 'it cannot be reached';
    return `The database cannot be used: ${reason}. Check DATABASE_URL, or unset it to use the embedded database.`;
  }
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
}
