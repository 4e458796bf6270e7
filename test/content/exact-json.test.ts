import { describe, expect, it } from '@jest/globals';
import { AppError, type InputIssue } from '../../contracts/errors.js';
import { checkExactText, checkExactValue, parseExactJson } from '../../src/content/exact-json/exact-json.js';
import { fc } from '../support/properties.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function refusalOf(body: Uint8Array | string): { code: string; issues: InputIssue[] } {
  try {
    parseExactJson(typeof body === 'string' ? bytes(body) : body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.details as { issues: InputIssue[] } | undefined;
    return { code: error.code, issues: details?.issues ?? [] };
  }
  throw new Error('The body was accepted.');
}

const firstIssue = (body: Uint8Array | string) => {
  const [issue] = refusalOf(body).issues;
  return { code: issue?.code, path: issue?.path };
};

describe('parseExactJson', () => {
  it('returns any JSON value exactly or rejects it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        try {
          expect(JSON.stringify(parseExactJson(bytes(text)))).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('rejects an object of more than 10,000 members, wherever it is, and counts each object by itself', () => {
    const object = (count: number) =>
      `{${Array.from({ length: count }, (_none, index) => `"k${index}":0`).join(',')}}`;
    const wide = object(10_000);
    expect(parseExactJson(bytes(`{"a":${wide},"b":[${wide},{}]}`))).toHaveProperty('b.0.k9999', 0);
    expect(firstIssue(`{"a":[{},${object(10_001)}]}`)).toEqual({
      code: 'too_many_members',
      path: ['a', 1, 'k10000'],
    });
  });

  it('accepts every double that is not an unsafe integer', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(!Number.isInteger(value) || Number.isSafeInteger(value));
        expect(parseExactJson(bytes(JSON.stringify([value])))).toEqual([Object.is(value, -0) ? 0 : value]);
      }),
      { numRuns: 2000 },
    );
  });

  it('throws only AppError for any bytes', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '-',
      '1',
      '.',
      'e',
      'a',
      'true',
      '\\u0061',
      '"a":',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          parseExactJson(bytes(parts.join('')));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('drops a byte order mark', () => {
    expect(parseExactJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toBe(1);
  });

  it.each([
    ['a truncated sequence', [0x22, 0xc3, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('rejects %s as invalid encoding', (_name, body) => {
    expect(firstIssue(new Uint8Array(body))).toEqual({ code: 'invalid_encoding', path: [] });
  });

  it.each([
    '',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '[01]',
    '[1e400',
    'nul',
    '"\t"',
    '[1] [2]',
    '{"a":1 "b":2}',
    '1.e5',
    '-',
  ])('rejects %j as invalid JSON', (body) => {
    expect(refusalOf(body).code).toBe('invalid_json');
  });

  it('accepts 100 levels of nesting and rejects 101 with the path', () => {
    expect(() => parseExactJson(bytes('['.repeat(100) + ']'.repeat(100)))).not.toThrow();
    expect(firstIssue('['.repeat(101) + ']'.repeat(101))).toEqual({
      code: 'too_deep',
      path: Array<number>(100).fill(0),
    });
    expect(firstIssue('{"a":'.repeat(101) + '1' + '}'.repeat(101))).toEqual({
      code: 'too_deep',
      path: Array<string>(100).fill('a'),
    });
  });

  it('does not count brackets inside strings', () => {
    expect(parseExactJson(bytes(`["${'['.repeat(200)}\\"${'{'.repeat(200)}\\\\"]`))).toHaveLength(1);
  });

  it('rejects half a million open brackets without overflowing the stack', () => {
    expect(firstIssue('['.repeat(500_000)).code).toBe('too_deep');
  });

  it.each([
    '9007199254740993',
    '9007199254740992',
    '-9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1234567890123456789',
    '1e20',
    '12345678901234567890.5',
  ])('rejects the number %s, which parsing would alter', (token) => {
    expect(firstIssue(`{"a":[0,${token}]}`)).toEqual({ code: 'inexact_number', path: ['a', 1] });
  });

  it.each([
    '9007199254740991',
    '0.1',
    '1.10',
    '-0',
    '0.0000',
    '0e999',
    '123e65',
    '1E22',
    '-1.5e-7',
    '5e-324',
    '1.7976931348623157e308',
    '100000.000000000000000000000',
    '6.02214076e+23',
  ])('accepts the number %s', (token) => {
    expect(parseExactJson(bytes(token))).toBe(Number(token));
  });

  it('rejects a duplicate key in any spelling', () => {
    expect(firstIssue('{"x":[{"a":1,"b":{"a":1}},{"a":1,"\\u0061":2}]}')).toEqual({
      code: 'duplicate_key',
      path: ['x', 1, 'a'],
    });
  });

  it('accepts the same key in two objects', () => {
    expect(parseExactJson(bytes('[{"a":1},{"a":{"a":2}}]'))).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  it.each([
    ['{"a":"\\u0000"}', 'invalid_text', ['a']],
    ['["ok","\\ud800"]', 'invalid_text', [1]],
    ['["\\udc00\\ud800"]', 'invalid_text', [0]],
    ['{"\\udfff":1}', 'invalid_text', ['\udfff']],
    ['{"a":{"__proto__":{}}}', 'reserved_key', ['a', '__proto__']],
    ['{"\\u005f_proto__":1}', 'reserved_key', ['__proto__']],
  ])('rejects %s with code %s', (body, code, path) => {
    expect(firstIssue(body)).toEqual({ code, path });
  });

  it('accepts a surrogate pair written as two escapes', () => {
    expect(parseExactJson(bytes('"\\ud83d\\ude00"'))).toBe('😀');
  });

  it('parses or rejects bodies of maximum size and any shape without crashing', () => {
    const bodies = [
      '{"a":1.5,"b":[1,2,3]},'.repeat(45_000),
      `"${'\\"'.repeat(500_000)}",`,
      `"${'\\\\'.repeat(500_000)}",`,
      `0.${'0'.repeat(999_990)}1,`,
      `${'1,'.repeat(500_000)}`,
    ];
    for (const body of bodies) {
      try {
        expect(parseExactJson(bytes(`[${body}0]`))).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }
  });
});

describe('checkExactValue', () => {
  it('returns every issue of a value with its path', () => {
    const issues = checkExactValue({ a: ['\0', 1], b: { c: Number.NaN }, d: 2 ** 53, e: undefined, f: 1n });
    expect(issues.map(({ path, code }) => ({ path, code }))).toEqual([
      { path: ['a', 0], code: 'invalid_text' },
      { path: ['b', 'c'], code: 'inexact_number' },
      { path: ['d'], code: 'inexact_number' },
      { path: ['f'], code: 'invalid_type' },
    ]);
  });

  it('terminates on a value that contains itself', () => {
    const value: unknown[] = [];
    value.push(value, value);
    expect(checkExactValue(value)).toHaveLength(20);
  });

  it('returns at most 20 issues of a value', () => {
    const keys = Array.from({ length: 100 }, (_, index) => [`\0${index}`, '\0'] as const);
    expect(checkExactValue([Object.fromEntries(keys), '\0'])).toHaveLength(20);
  });

  it('limits the depth of values as parseExactJson does', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(checkExactValue(nested(100))).toEqual([]);
    expect(checkExactValue(nested(101))).toHaveLength(1);
  });
});

describe('checkExactText', () => {
  it('accepts text and rejects NUL and lone surrogates', () => {
    expect(['', 'héllo', '😀', '\u0001'].map(checkExactText)).toEqual([true, true, true, true]);
    expect(['a\0', '\ud800', 'x\udc00y'].map(checkExactText)).toEqual([false, false, false]);
  });
});
