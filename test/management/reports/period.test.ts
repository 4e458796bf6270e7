import { describe, expect, it } from '@jest/globals';
import {
  grainsOfAll,
  periodOf,
  segmentsOf,
} from '../../../src/features/insight/reports/period/report-period.js';
import { fc } from '../../support/properties.js';

const now = new Date('2027-06-15T10:20:00Z');
const HOUR = 3_600_000;
const hours = (timezone: string, from: string, to: string): [string, number][] =>
  periodOf({ from, to, granularity: 'day', timezone }, now).buckets.map(({ date, start, end }) => [
    date,
    (end - start) / HOUR,
  ]);

describe('The buckets of a report', () => {
  it('are local days, also where clocks change', () => {
    expect(hours('Europe/Berlin', '2027-03-27T23:00:00Z', '2027-03-29T22:00:00Z')).toEqual([
      ['2027-03-28', 23],
      ['2027-03-29', 24],
    ]);
    expect(hours('Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z')).toEqual([
      ['2027-10-31', 25],
    ]);
    expect(hours('Australia/Lord_Howe', '2027-04-03T13:00:00Z', '2027-04-04T13:30:00Z')).toEqual([
      ['2027-04-04', 24.5],
    ]);
    expect(hours('Asia/Kathmandu', '2027-01-01T18:15:00Z', '2027-01-02T18:15:00Z')).toEqual([
      ['2027-01-02', 24],
    ]);
  });

  it('are weeks from Monday and whole months, cut to the period', () => {
    const dates = (granularity: 'week' | 'month'): string[] =>
      periodOf(
        { from: '2027-01-06T00:00:00Z', to: '2027-02-02T00:00:00Z', granularity, timezone: 'UTC' },
        now,
      ).buckets.map(({ date }) => date);
    expect(dates('week')).toEqual(['2027-01-04', '2027-01-11', '2027-01-18', '2027-01-25', '2027-02-01']);
    expect(dates('month')).toEqual(['2027-01-01', '2027-02-01']);
  });

  it('cover the 30 days to now by default, in whole quarters of an hour', () => {
    const { range } = periodOf({ granularity: 'day', timezone: 'UTC' }, now);
    expect([range.from, range.to]).toEqual(['2027-05-16T10:30:00.000Z', '2027-06-15T10:30:00.000Z']);
  });

  it('cover the period once, in any zone, and their segments cover each bucket once', () => {
    const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe'];
    const property = fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      fc.integer({ min: 0, max: 380 * 24 * 60 }),
      fc.integer({ min: 1, max: 100 * 24 * 60 }),
      (timezone, granularity, minute, length) => {
        const start = Date.parse('2026-01-01T00:00:00Z') + minute * 60_000;
        const from = new Date(start).toISOString();
        const to = new Date(start + length * 60_000).toISOString();
        const { buckets, ...period } = periodOf({ from, to, granularity, timezone }, now);
        const edges = buckets.flatMap((bucket) => [bucket.start, bucket.end]);
        expect(edges).toEqual([
          period.start,
          ...buckets.slice(1).flatMap((bucket) => [bucket.start, bucket.start]),
          period.end,
        ]);
        for (const grains of [undefined, grainsOfAll])
          for (const [position, bucket] of buckets.entries()) {
            const segments = segmentsOf(buckets, grains).filter((segment) => segment.bucket === position);
            expect(segments.map((segment) => segment.start)).toEqual([
              bucket.start,
              ...segments.slice(0, -1).map((segment) => segment.end),
            ]);
            expect(segments.at(-1)?.end).toBe(bucket.end);
          }
      },
    );
    fc.assert(property, { numRuns: 30 });
  });

  it('are read in whole hours and days of UTC where actors do not matter', () => {
    const { buckets } = periodOf(
      {
        from: '2027-05-31T22:00:00Z',
        to: '2027-06-02T22:45:00Z',
        granularity: 'week',
        timezone: 'Europe/Berlin',
      },
      now,
    );
    expect(
      segmentsOf(buckets, grainsOfAll).map(({ grain, end, start }) => [grain, (end - start) / HOUR]),
    ).toEqual([
      ['hour_total', 2],
      ['day_total', 24],
      ['hour_total', 22],
      ['quarter', 0.75],
    ]);
  });
});
