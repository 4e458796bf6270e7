import { expect, it } from '@jest/globals';
import { rangeOf, readPeriod } from './period.js';

it('days of a period in the address are read as far as possible, and end now unless they end before', () => {
  const period = readPeriod({
    days: 8,
    from: '2026-01-01',
    to: '2026-01-31',
    granularity: 'hour',
    timezone: 'UTC',
  });
  expect(period).toEqual({
    days: undefined,
    from: '2026-01-01',
    to: '2026-01-31',
    granularity: undefined,
    timezone: 'UTC',
  });
  const range = { timezone: 'UTC', granularity: 'day', from: '2026-01-01T00:00:00.000Z' };
  expect(rangeOf(period)).toEqual({ ...range, to: '2026-02-01T00:00:00.000Z' });
  expect(rangeOf({ ...period, to: undefined })).toEqual(range);
});
