import { invalidInput } from '../../../contracts/errors.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { isInstant, zonedTime, type ZonedTime } from './zoned-time.js';

/** When something shall be done, as callers say it. */
interface GivenTime {
  readonly scheduledAt?: string | undefined;
  readonly timezone?: string | undefined;
}

/**
 * The time of a schedule; undefined where it is now.
 * @param path where the keys stand in the input
 * @throws AppError 422 for a time that is not in the future, a wall time without its zone, or a zone without a time
 */
export function futureTime(
  work: UnitOfWork,
  { scheduledAt, timezone }: GivenTime,
  path: readonly string[] = [],
): ZonedTime | undefined {
  if (scheduledAt === undefined) {
    if (timezone === undefined) return undefined;
    const message = 'A time zone needs a scheduledAt.';
    throw invalidInput({ path: [...path, 'timezone'], code: 'not_supported', message });
  }
  if (!isInstant(scheduledAt) && timezone === undefined) {
    const message = 'A time without an offset needs a timezone.';
    throw invalidInput({ path: [...path, 'timezone'], code: 'required', message });
  }
  const time = zonedTime(scheduledAt, timezone);
  if (time.at > work.now) return time;
  const message = 'The time must be in the future.';
  throw invalidInput({ path: [...path, 'scheduledAt'], code: 'not_in_future', message });
}
