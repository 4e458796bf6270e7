import { describe, expect, it } from '@jest/globals';
import { zonedTime } from '../../../src/features/entries/schedules/zoned-time.js';

describe('the time of a schedule', () => {
  it.each([
    [
      'an instant',
      '2027-01-01T12:00:00Z',
      'Asia/Kathmandu',
      '2027-01-01T12:00:00.000Z',
      '2027-01-01T17:45:00.000',
    ],
    [
      'an offset, whatever the zone',
      '2027-01-01T12:00:00+09:00',
      'UTC',
      '2027-01-01T03:00:00.000Z',
      '2027-01-01T03:00:00.000',
    ],
    [
      'a wall time',
      '2027-07-01T12:00',
      'Europe/Berlin',
      '2027-07-01T10:00:00.000Z',
      '2027-07-01T12:00:00.000',
    ],
    [
      'a gap: forward',
      '2027-03-14T02:30:00',
      'America/New_York',
      '2027-03-14T07:30:00.000Z',
      '2027-03-14T03:30:00.000',
    ],
    [
      'a gap of half an hour',
      '2027-10-03T02:15:00',
      'Australia/Lord_Howe',
      '2027-10-02T15:45:00.000Z',
      '2027-10-03T02:45:00.000',
    ],
    [
      'an overlap: the first',
      '2027-11-07T01:30:00',
      'America/New_York',
      '2027-11-07T05:30:00.000Z',
      '2027-11-07T01:30:00.000',
    ],
    [
      'an overlap of half an hour',
      '2027-04-04T01:45:00',
      'Australia/Lord_Howe',
      '2027-04-03T14:45:00.000Z',
      '2027-04-04T01:45:00.000',
    ],
    [
      'a day that the zone left out',
      '2011-12-30T12:00:00',
      'Pacific/Apia',
      '2011-12-30T22:00:00.000Z',
      '2011-12-31T12:00:00.000',
    ],
  ])('reads a scheduled time as %s', (...[, given, timezone, instant, wallTime]) => {
    const time = zonedTime(given, timezone);
    expect([time.at.toISOString(), time.wallTime, time.timezone]).toEqual([instant, wallTime, timezone]);
  });
});
