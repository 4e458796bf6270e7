import { isDay } from './time-zone.js';

// Addresses are typed by people: what is not a value is ignored.

/** A value of the address that is not empty, cut to a length in UTF-16 units. */
export const textValue = (value: unknown, length = Infinity): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, length) : undefined;

/** A day such as `2026-03-01`. */
export const dayValue = (value: unknown): string | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;
