import { ownTimeZone } from '../texts/own-time-zone.js';

export { isTimeZone, keepTimeZone, ownTimeZone } from '../texts/own-time-zone.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The zones that this browser knows, the user's first. */
export const timeZones: readonly string[] = [
  ...new Set([ownTimeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];

/** Milliseconds that a zone is ahead of UTC at an instant. */
function offsetOf(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
    instant,
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** The instant of a time on the clocks of a zone, such as `2027-01-31T12:30`. */
export function instantOf(time: string, timeZone: string): string {
  const inUtc = Date.parse(`${time}Z`);
  const guess = inUtc - offsetOf(inUtc, timeZone);
  return new Date(inUtc - offsetOf(guess, timeZone)).toISOString();
}

/** The instant at which a day, such as `2027-01-31`, begins in a zone. */
export const startOfDay = (day: string, timeZone: string): string => instantOf(`${day}T00:00`, timeZone);

/** The day that it is now in a zone. */
export const today = (timeZone: string, now = Date.now()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);

/** The day so many days later. */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
