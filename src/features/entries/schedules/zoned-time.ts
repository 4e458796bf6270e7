import { Temporal } from 'temporal-polyfill';

/** A scheduled time as it is stored. */
export interface ZonedTime {
  readonly at: Date;
  readonly timezone: string;
  /** What a clock in the zone shows: ISO 8601 without an offset, in milliseconds. */
  readonly wallTime: string;
}

/** Whether a time in ISO 8601 has an offset from UTC. */
export const hasOffset = (given: string): boolean => /(?:Z|[+-]\d{2}:?\d{2})$/i.test(given);

/**
 * Reads a time with an offset as that instant, one without as wall time in the zone. A wall time that is skipped moves
 * forward by the gap; one that occurs twice is the first.
 * @param given ISO 8601, checked by the contract
 */
export function zonedTime(given: string, timezone = 'UTC'): ZonedTime {
  const zoned = hasOffset(given)
    ? Temporal.Instant.from(given).toZonedDateTimeISO(timezone)
    : Temporal.PlainDateTime.from(given).toZonedDateTime(timezone, { disambiguation: 'compatible' });
  return {
    at: new Date(zoned.epochMilliseconds),
    timezone,
    wallTime: zoned.toPlainDateTime().toString({ fractionalSecondDigits: 3 }),
  };
}
