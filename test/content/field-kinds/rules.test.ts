import { describe, expect, it } from '@jest/globals';
import type { FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import { fieldKindRules, type FieldKindRules } from '../../../src/content/field-kinds/index.js';
import { doc, link, node, paragraph, text } from '../rich-text/documents.js';
import { field } from '../fields.js';
import { fc } from '../../support/properties.js';

const rules: Record<FieldKind, FieldKindRules> = fieldKindRules;
const codes = (kind: FieldKind, value: unknown, validations: Record<string, unknown>) =>
  rules[kind].checkRules(value, field(kind, { validations })).map(({ code }) => code);

describe('rules of strings', () => {
  it('counts code points of strings', () => {
    expect(codes('text', '😀😀', { minLength: 2, maxLength: 2 })).toEqual([]);
    expect(codes('text', '😀', { minLength: 2 })).toEqual(['too_short']);
    expect(codes('longText', '😀😀😀', { maxLength: 2 })).toEqual(['too_long']);
  });

  it('searches a string for a pattern anywhere, with its flags', () => {
    expect(codes('text', 'xxABCxx', { pattern: 'abc' })).toEqual(['pattern']);
    expect(codes('text', 'xxABCxx', { pattern: 'abc', flags: 'i' })).toEqual([]);
    expect(codes('longText', 'a\nb', { pattern: '^b$' })).toEqual(['pattern']);
    expect(codes('longText', 'a\nb', { pattern: '^b$', flags: 'm' })).toEqual([]);
    expect(codes('longText', 'a\nb', { pattern: 'a.b', flags: 's' })).toEqual([]);
    expect(codes('slug', 'abc', { pattern: '^[a-z]+$' })).toEqual([]);
    expect(codes('url', 'http://a.b', { pattern: '^https:\\/\\/' })).toEqual(['pattern']);
    expect(codes('email', 'a@b.co', { pattern: '@example\\.com$' })).toEqual(['pattern']);
  });

  it('rejects strings that match a forbidden pattern or are not in the list', () => {
    expect(codes('text', 'foo bar', { forbiddenPattern: 'bar' })).toEqual(['forbidden_pattern']);
    expect(codes('text', 'c', { in: ['a', 'b'] })).toEqual(['not_allowed']);
    expect(codes('text', 'a', { in: ['a', 'b'] })).toEqual([]);
  });

  it('returns the message of the field instead of the default one', () => {
    expect(
      rules.text.checkRules(
        'a',
        field('text', { validations: { minLength: 2, message: 'Longer, please.' } }),
      ),
    ).toEqual([{ path: [], code: 'too_short', message: 'Longer, please.' }]);
  });

  it('matches common patterns as the JavaScript engine does', () => {
    const patterns = fc.constantFrom(
      '^[a-c]+$',
      'a|b',
      '(ab)*c',
      '[^a]',
      'a{2,3}',
      '\\bab',
      '^a.*c$',
      '(?:a|bc)+$',
      '\\w\\s',
      '\\u0061b',
    );
    fc.assert(
      fc.property(patterns, fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') }), (pattern, value) => {
        expect(codes('text', value, { pattern }).length === 0).toBe(new RegExp(pattern, 'u').test(value));
      }),
      { numRuns: 500 },
    );
  });

  it('takes linear time on patterns that make backtracking engines explode', () => {
    // A backtracking engine would exceed the test timeout.
    expect(codes('longText', `${'a'.repeat(100_000)}!`, { pattern: '^(a+)+$' })).toEqual(['pattern']);
  });
});

describe('rules of numbers', () => {
  it('includes both bounds of a number range', () => {
    const validations = { min: 1, max: 3 };
    expect([0, 1, 3, 4].map((value) => codes('integer', value, validations))).toEqual([
      ['too_small'],
      [],
      [],
      ['too_big'],
    ]);
  });

  it('counts steps from the minimum, or from zero without one', () => {
    expect(codes('integer', 6, { min: 1, step: 5 })).toEqual([]);
    expect(codes('integer', 5, { min: 1, step: 5 })).toEqual(['off_step']);
    expect(codes('integer', -10, { step: 5 })).toEqual([]);
  });

  it('recognizes decimal steps despite rounding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.constantFrom(1, 2, 3),
        (steps, decimals) => {
          const step = Number(`1e-${decimals}`);
          const value = Number(`${steps}e-${decimals}`);
          expect(codes('number', value, { step })).toEqual([]);
          expect(codes('number', value + step / 2, { step })).toEqual(['off_step']);
        },
      ),
    );
  });

  it('rejects numbers that are not in the list', () => {
    expect(codes('number', 2, { in: [1, 3] })).toEqual(['not_allowed']);
  });
});

describe('rules of dates', () => {
  it('includes both bounds of a date range', () => {
    const validations = { min: '2026-01-01', max: '2026-12-31' };
    expect(
      ['2025-12-31', '2026-01-01', '2026-12-31', '2027-01-01'].map((value) =>
        codes('date', value, validations),
      ),
    ).toEqual([['too_early'], [], [], ['too_late']]);
  });

  it('compares dates as instants, whatever their notation', () => {
    expect(codes('dateTime', '2026-01-01T01:00:00+02:00', { min: '2026-01-01T00:00:00Z' })).toEqual([
      'too_early',
    ]);
    expect(codes('dateTime', '2026-01-01T01:00:00+01:00', { max: '2026-01-01T00:00:00Z' })).toEqual([]);
  });
});

describe('rules of rich text', () => {
  const document = doc(
    { type: 'heading', attrs: { level: 1 }, content: [text('ab', { type: 'strong' })] },
    node('bullet_list', node('list_item', paragraph(text('cd', link('/x'))))),
  );

  it('accepts the nodes and marks that the field allows, in either spelling and with their parts', () => {
    expect(
      codes('richText', document, {
        allowedNodes: ['heading', 'bulletList'],
        allowedMarks: ['bold', 'link'],
      }),
    ).toEqual([]);
  });

  it('rejects other nodes and marks with their path', () => {
    expect(
      rules.richText.checkRules(
        document,
        field('richText', { validations: { allowedNodes: ['heading'], allowedMarks: [] } }),
      ),
    ).toEqual([
      {
        path: ['content', 0, 'content', 0, 'marks', 0],
        code: 'mark_not_allowed',
        message: expect.any(String),
      },
      { path: ['content', 1], code: 'node_not_allowed', message: expect.any(String) },
    ]);
  });

  it('counts the characters of the plain text of rich text', () => {
    expect(codes('richText', document, { maxLength: 6 })).toEqual([]);
    expect(codes('richText', document, { maxLength: 5 })).toEqual(['too_long']);
  });
});
