import { invalidInput } from '../../../../contracts/errors.js';
import { isInstant } from '../../../../contracts/primitives.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { ZonedTime } from './zoned-time.js';

/** A schedule as callers give it. */
interface GivenTime {
  readonly scheduledAt?: string | undefined;
  readonly timezone?: string | undefined;
}

/**
 * The time of a schedule; undefined for now.
 * @param path of the keys in the input
 * @throws AppError 422 for a time that is not in the future or after the year 9999, a wall time without its zone, or a zone without a time
 */
export async function futureTime(
  work: UnitOfWork,
  { scheduledAt, timezone }: GivenTime,
  path: readonly string[] = [],
): Promise<ZonedTime | undefined> {
  if (scheduledAt === undefined) {
    if (timezone === undefined) return undefined;
    const message = 'timezone requires scheduledAt.';
    throw invalidInput({ path: [...path, 'timezone'], code: 'not_supported', message });
  }
  // The time zone library is loaded by the first schedule, not at start.
  const { hasOffset, zonedTime } = await import('./zoned-time.js');
  if (!hasOffset(scheduledAt) && timezone === undefined) {
    const message = 'timezone is required when scheduledAt has no offset.';
    throw invalidInput({ path: [...path, 'timezone'], code: 'required', message });
  }
  const time = zonedTime(scheduledAt, timezone);
  const refuse = (code: string, message: string): never => {
    throw invalidInput({ path: [...path, 'scheduledAt'], code, message });
  };
  if (time.at <= work.now) refuse('not_in_future', 'scheduledAt must be in the future.');
  if (!isInstant(time.at.toISOString())) refuse('too_late', 'scheduledAt must be before the year 10000.');
  return time;
}
