/** A wall time: what a clock in a zone shows, as ISO 8601 without an offset, in milliseconds. */
type WallTime = string;

/** Whether a time in ISO 8601 says its offset from UTC. */
export const isInstant = (given: string): boolean => /(?:Z|[+-]\d{2}:?\d{2})$/i.test(given);

/** What a clock in the zone shows at an instant. */
function wallTimeAt(instant: Date, timeZone: string): WallTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((known) => known.type === type)?.value ?? '';
  const year = part('year').padStart(4, '0');
  const day = `${year}-${part('month')}-${part('day')}`;
  return `${day}T${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`;
}

/** Milliseconds that the zone is ahead of UTC at an instant. */
const offsetAt = (instant: number, timeZone: string): number =>
  Date.parse(`${wallTimeAt(new Date(instant), timeZone)}Z`) - instant;

/**
 * The instant at which a clock in the zone shows a wall time. Where the clock shows it twice it is the
 * first time, so that nothing happens twice; where it never shows it, because the hour is left out,
 * the time moves forward by what is left out.
 */
function instantOf(wallTime: WallTime, timeZone: string): Date {
  const asUtc = Date.parse(`${wallTime}Z`);
  const day = 86_400_000;
  // No zone changes its offset twice in two days: these are the offsets before and after any change nearby.
  const [before, after] = [offsetAt(asUtc - day, timeZone), offsetAt(asUtc + day, timeZone)];
  const candidates = [asUtc - before, asUtc - after].filter(
    (instant) => instant + offsetAt(instant, timeZone) === asUtc,
  );
  return new Date(candidates.length > 0 ? Math.min(...candidates) : asUtc - before);
}

/** A time as it is stored: the instant, the zone in which it was meant, and what a clock there shows. */
export interface ZonedTime {
  readonly at: Date;
  readonly timezone: string;
  readonly wallTime: WallTime;
}

/**
 * Reads a time with an offset as that instant, one without as the wall time in the zone.
 * @param given ISO 8601, checked by the contract
 */
export function zonedTime(given: string, timezone = 'UTC'): ZonedTime {
  const at = isInstant(given) ? new Date(given) : instantOf(given, timezone);
  return { at, timezone, wallTime: wallTimeAt(at, timezone) };
}
