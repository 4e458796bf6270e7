import { expect, it } from '@jest/globals';
import { daysAfter, instantOf, isDay, isTimeZone, startOfDay, today } from './time-zone.js';

it('days begin at midnight of their time zone, also when its clocks change', () => {
  expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z');
  expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
  expect(startOfDay('2026-01-01', 'Asia/Kathmandu')).toBe('2025-12-31T18:15:00.000Z');
  expect(startOfDay('2026-01-01', 'UTC')).toBe('2026-01-01T00:00:00.000Z');
  expect(instantOf('2026-06-01T12:30', 'America/New_York')).toBe('2026-06-01T16:30:00.000Z');
  expect(today('Asia/Tokyo', Date.parse('2026-01-01T20:00:00Z'))).toBe('2026-01-02');
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect([isDay('2026-02-30x'), isDay('2026-13-01'), isTimeZone('Mars/Base')]).toEqual([false, false, false]);
});
