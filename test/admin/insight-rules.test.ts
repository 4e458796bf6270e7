import { describe, expect, it } from '@jest/globals';
import { changesOf, partsOf } from '../../src/admin/ui/changes.js';
import { daysAfter, isDay, isTimeZone, startOfDay, today } from '../../src/admin/ui/time-zone.js';
import { readAuditSearch } from '../../src/admin/insight/audit/audit-search.js';
import { rangeOf, readPeriod } from '../../src/admin/insight/period.js';
import { fc } from '../support/properties.js';

describe('Changes between two states', () => {
  it('are found inside objects and lists of the same things, and are nothing between equal states', () => {
    const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', text }] });
    const before = {
      title: 'One',
      body: doc('a'),
      tags: ['x'],
      locales: [{ locale: 'en', status: 'draft' }],
    };
    const after = {
      title: 'One',
      body: doc('b'),
      tags: ['y'],
      locales: [{ locale: 'en', status: 'published' }],
    };
    expect(changesOf(before, after)).toEqual([
      { path: ['body'], from: doc('a'), to: doc('b') },
      { path: ['tags'], from: ['x'], to: ['y'] },
      { path: ['locales', 'en', 'status'], from: 'draft', to: 'published' },
    ]);
    expect(changesOf(before, structuredClone(before))).toEqual([]);
  });

  it('are all values of what was created or deleted, and the whole list when its order changed', () => {
    expect(changesOf(null, { name: 'A' })).toEqual([{ path: ['name'], from: undefined, to: 'A' }]);
    expect(changesOf({ name: 'A' }, null)).toEqual([{ path: ['name'], from: 'A', to: undefined }]);
    const [one, two] = [{ apiName: 'a' }, { apiName: 'b' }];
    expect(changesOf({ fields: [one, two] }, { fields: [two, one] })).toHaveLength(1);
    expect(changesOf({ fields: [one, one] }, { fields: [one, two] })).toHaveLength(1);
  });

  it('mark whole words, and lose nothing of the texts', () => {
    expect(partsOf('The upper lock', 'The lower lock')).toEqual({
      from: { start: 'The ', changed: 'upper', end: ' lock' },
      to: { start: 'The ', changed: 'lower', end: ' lock' },
    });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '\n') });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const parts = partsOf(from, to);
        expect([parts.from, parts.to].map(({ start, changed, end }) => start + changed + end)).toEqual([
          from,
          to,
        ]);
        expect([parts.from.start, parts.from.end]).toEqual([parts.to.start, parts.to.end]);
        expect(parts.from.start.isWellFormed() && parts.to.end.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('Days', () => {
  it('begin at midnight of their time zone, also when its clocks change', () => {
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z');
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
    expect(startOfDay('2026-01-01', 'Asia/Kathmandu')).toBe('2025-12-31T18:15:00.000Z');
    expect(startOfDay('2026-01-01', 'UTC')).toBe('2026-01-01T00:00:00.000Z');
    expect(today('Asia/Tokyo', Date.parse('2026-01-01T20:00:00Z'))).toBe('2026-01-02');
    expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
    expect([isDay('2026-02-30x'), isDay('2026-13-01'), isTimeZone('Mars/Base')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('of a period in the address are read as far as possible, and end now unless they end before', () => {
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
});

it('filters of the audit in an address are read as far as possible', () => {
  expect(readAuditSearch({ action: 7, interface: 'fax', from: 'x', to: '2026-01-01', other: 1 })).toEqual({
    ...{ action: '7', actorId: undefined, targetType: undefined, targetId: undefined },
    ...{ interface: undefined, from: undefined, to: '2026-01-01' },
  });
});
