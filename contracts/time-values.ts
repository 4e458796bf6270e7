const year = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)';
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const day =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const date = `(?:${year}-${day}|${leapYear}-02-29)`;
const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?';
const offset = '(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])';

/**
 * Times that PostgreSQL can hold: days that exist, of the years 1 to 9999, with offsets below 16 hours. PostgreSQL reads
 * the pattern as JavaScript does.
 */
export const INSTANT_PATTERN = `^${date}T${clock}${offset}$`;

const DATE = new RegExp(`^${date}$`);
const INSTANT = new RegExp(INSTANT_PATTERN);
const LOCAL_TIME = new RegExp(`^${date}T${clock}$`);
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

export const isDate = (text: string): boolean => DATE.test(text);

/** Also in UTC it is in the years 1 to 9999. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text)) return false;
  const time = Date.parse(text);
  return time >= FIRST && time <= LAST;
}

export const isLocalTime = (text: string): boolean => LOCAL_TIME.test(text);
