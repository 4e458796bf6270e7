import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../contracts/errors.js';
import { decodeCursor, encodeCursor, type CursorList } from '../../src/features/shared/cursor/list-page.js';
import { afterSql, type Keyset } from '../../src/features/shared/cursor/list-page.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';

const list: CursorList = {
  name: 'entries',
  tenantId: 't',
  projectId: 'p',
  environmentId: 'e',
  query: { orderBy: 'updatedAt:desc', status: ['draft'] },
};
const keyset: Keyset = {
  keys: [
    { column: 'a', type: 'time' },
    { column: 'b', type: 'integer' },
    { column: 'c', type: 'text' },
    { column: 'd', type: 'uuid' },
  ],
  isAscending: true,
};
const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Result, or code of the failure; other failures fail the test. */
function refused(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

/** SQL of a position, with its values. */
function condition(after: readonly string[]): [string, unknown[]] {
  const bound: unknown[] = [];
  const sql = afterSql(keyset, after, (value) => `$${String(bound.push(value))}`);
  return [sql, bound];
}

describe('A cursor', () => {
  verifies('lists/cursors');

  it('returns the position, the number of items before it and the total that it was made of', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((value) => !value.includes('\u0000'));
    const count = fc.nat({ max: 2_000_000_000 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), count, count, (after, passed, total) => {
        const cursor = encodeCursor(list, { after, passed, total });
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(list, cursor)).toEqual({ after, passed, total });
      }),
    );
  });

  it.each<[string, Partial<CursorList>]>([
    ['list', { name: 'assets' }],
    ['tenant', { tenantId: 'other' }],
    ['project', { projectId: 'other' }],
    ['environment', { environmentId: 'other' }],
    ['order', { query: { orderBy: 'updatedAt:asc', status: ['draft'] } }],
    ['filter', { query: { orderBy: 'updatedAt:desc', status: ['published'] } }],
  ])('is refused by a list of another %s', (_name, other) => {
    const cursor = encodeCursor(list, { after: [id], passed: 0, total: 1 });
    expect(refused(() => decodeCursor({ ...list, ...other }, cursor))).toBe('validation_failed');
  });

  it('is refused if it is anything else', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json().map(encoded),
      fc.jsonValue().map(encoded),
      fc.base64String(),
    );
    fc.assert(
      fc.property(anything, (cursor) => {
        expect(refused(() => decodeCursor(list, cursor))).toBe('validation_failed');
      }),
    );
  });

  it.each<[string, (payload: unknown[]) => unknown]>([
    ['another version', ([, ...rest]) => [2, ...rest]],
    ['a negative total', ([version, of, , ...rest]) => [version, of, -1, ...rest]],
    ['a huge number of items', ([version, of, total, , after]) => [version, of, total, 1e300, after]],
    ['no position', (payload) => payload.slice(0, 4)],
    ['an empty position', (payload) => [...payload.slice(0, 4), []]],
    ['a position of 100 keys', (payload) => [...payload.slice(0, 4), Array(100).fill('a')]],
    ['an object as a key', (payload) => [...payload.slice(0, 4), [{ sql: '1' }]]],
    ['a null character', (payload) => [...payload.slice(0, 4), ['\u0000']]],
    ['a lone surrogate', (payload) => [...payload.slice(0, 4), ['\ud800']]],
    ['more members', (payload) => [...payload, 1]],
  ])('is refused with %s', (_name, forge) => {
    const text = Buffer.from(encodeCursor(list, { after: [id], passed: 0, total: 1 }), 'base64url');
    const payload = JSON.parse(text.toString()) as unknown[];
    expect(decodeCursor(list, encoded(payload)).after).toEqual([id]);
    expect(refused(() => decodeCursor(list, encoded(forge(payload))))).toBe('validation_failed');
  });
});

describe('The condition of a position', () => {
  it('binds every value, and times with microseconds', () => {
    const [sql, bound] = condition(['1767225600000001', '-7', "'; DROP TABLE entries", id]);
    expect(sql).toBe(' AND (a, b, c, d) > ($1::timestamptz, $2::int, $3::text, $4::uuid)');
    expect(bound).toEqual(['2026-01-01T00:00:00.000001Z', '-7', "'; DROP TABLE entries", id]);
    expect(condition(['-1', '0', '', id])[1][0]).toBe('1969-12-31T23:59:59.999999Z');
  });

  it.each([
    ['a time', ['now()', '1', '', id]],
    ['a time that has no date', ['9999999999999999', '1', '', id]],
    ['an integer', ['1', '99999999999', '', id]],
    ['a UUID', ['1', '1', '', `{${id}}`]],
    ['as many keys', ['1', '1', '']],
  ])('refuses what is not %s', (_name, after) => {
    expect(refused(() => condition(after))).toBe('validation_failed');
  });
});
