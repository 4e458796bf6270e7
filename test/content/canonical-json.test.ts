import { describe, expect, it } from '@jest/globals';
import { canonicalJson, isEqualJson } from '../../src/content/exact-json/canonical-json.js';
import { fc } from '../support/properties.js';

/** The same value with the keys of every object reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('canonicalJson', () => {
  it('returns equal strings for any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('returns JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('sorts keys by code unit and drops undefined members', () => {
    expect(canonicalJson({ b: 1, a: undefined, 10: 0, 9: 0, B: [undefined], é: null, ａ: 1, '😀': 1 })).toBe(
      '{"10":0,"9":0,"B":[null],"b":1,"é":null,"😀":1,"ａ":1}',
    );
  });
});

describe('isEqualJson', () => {
  it('compares JSON values exactly as canonicalJson does', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(isEqualJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(isEqualJson(a, reversed(a))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('distinguishes arrays, objects and null', () => {
    expect(isEqualJson([], {})).toBe(false);
    expect(isEqualJson(null, {})).toBe(false);
    expect(isEqualJson([1, 2], [2, 1])).toBe(false);
    expect(isEqualJson({ a: 1 }, { b: 1 })).toBe(false);
  });

  it('treats an undefined member as an absent one', () => {
    expect(isEqualJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  });
});
