import { describe, expect, it } from '@jest/globals';
import type { InputIssue } from '../../contracts/errors.js';
import { checkPublishable, checkShapes, unknownFieldNames } from '../../src/content/validate-fields.js';
import { entryId, field } from './fields.js';
import { doc, paragraph, text } from './rich-text/documents.js';
import { verifies } from '../support/verifies.js';

const short = (issues: InputIssue[]) => issues.map(({ code, path }) => `${code} ${path.join('.')}`);

describe('checkShapes', () => {
  const fields = [field('text'), field('integer', { isList: true }), field('reference')];

  it('accepts values, null and missing fields', () => {
    expect(checkShapes(fields, {})).toEqual([]);
    expect(checkShapes(fields, { text: null, integer: null, reference: null })).toEqual([]);
    expect(checkShapes(fields, { text: 'a', integer: [1, 2], reference: { _ref: entryId } })).toEqual([]);
  });

  it('returns the path of the field, the item and the place inside', () => {
    expect(short(checkShapes(fields, { text: 1, integer: [1, 'x', null], reference: { _ref: 1 } }))).toEqual([
      'invalid_type fields.text',
      'invalid_type fields.integer.1',
      'invalid_type fields.integer.2',
      'invalid_format fields.reference._ref',
    ]);
  });

  it('accepts lists only for list fields', () => {
    expect(short(checkShapes(fields, { text: ['a'], integer: 1 }))).toEqual([
      'invalid_type fields.text',
      'invalid_type fields.integer',
    ]);
  });

  it('accepts at most 500 items', () => {
    expect(checkShapes(fields, { integer: Array(500).fill(1) })).toEqual([]);
    expect(short(checkShapes(fields, { integer: Array(501).fill(1) }))).toEqual([
      'too_many_items fields.integer',
    ]);
  });

  it('defers lengths, patterns and required to publishing', () => {
    expect(
      checkShapes([field('text', { required: true, validations: { minLength: 5, pattern: 'x' } })], {
        text: 'a',
      }),
    ).toEqual([]);
  });

  it('limits the issues of a hostile value', () => {
    expect(checkShapes(fields, { integer: Array(500).fill('x') })).toHaveLength(100);
  });
});

describe('unknownFieldNames', () => {
  it('finds unknown field names, inherited property names included', () => {
    expect(unknownFieldNames([field('text')], { text: 1, toString: 2, title: 3 })).toEqual([
      'toString',
      'title',
    ]);
  });
});

describe('checkPublishable', () => {
  verifies('content/values-blank');

  it.each([
    ['text', ''],
    ['text', ' \t\n\u{a0}'],
    ['longText', '  '],
    ['text', null],
    ['text', undefined],
    ['richText', doc()],
    ['richText', doc(paragraph(text(' ')))],
  ] as const)('treats a %s of %j as missing', (kind, value) => {
    expect(short(checkPublishable([field(kind, { required: true })], { [kind]: value }))).toEqual([
      `required fields.${kind}`,
    ]);
  });

  it('treats a list of blanks as missing', () => {
    const fields = [field('text', { required: true, isList: true })];
    expect(short(checkPublishable(fields, { text: [' ', ''] }))).toEqual(['required fields.text']);
    expect(checkPublishable(fields, { text: [' ', 'a'] })).toEqual([]);
  });

  it('treats an absent value and an empty list as missing', () => {
    const fields = [
      field('text', { required: true }),
      field('json', { required: true, isList: true, validations: { minItems: 1 } }),
    ];
    expect(short(checkPublishable(fields, { json: [] }))).toEqual([
      'required fields.text',
      'required fields.json',
    ]);
  });

  it.each([
    ['boolean', false],
    ['integer', 0],
    ['json', {}],
  ] as const)('treats a %s of %j as a value', (kind, value) => {
    expect(checkPublishable([field(kind, { required: true })], { [kind]: value })).toEqual([]);
  });

  it('checks shapes again, and rules only for values of valid shape', () => {
    const fields = [field('text', { validations: { minLength: 2 } })];
    expect(short(checkPublishable(fields, { text: 1 }))).toEqual(['invalid_type fields.text']);
    expect(short(checkPublishable(fields, { text: 'a' }))).toEqual(['too_short fields.text']);
    expect(checkPublishable(fields, { text: null })).toEqual([]);
  });

  it('checks each item of a list and their number', () => {
    const fields = [field('text', { isList: true, validations: { minItems: 2, maxItems: 3, maxLength: 1 } })];
    const check = (value: unknown) => short(checkPublishable(fields, { text: value }));
    expect(check(['a', 'bb', 'c'])).toEqual(['too_long fields.text.1']);
    expect(check(['a'])).toEqual(['too_few_items fields.text']);
    expect(check([])).toEqual(['too_few_items fields.text']);
    expect(check(['a', 'b', 'c', 'd'])).toEqual(['too_many_items fields.text']);
    expect(check(undefined)).toEqual([]);
  });

  it('returns the message of the field for item counts too', () => {
    const fields = [field('text', { isList: true, validations: { minItems: 1, message: 'Give one.' } })];
    expect(checkPublishable(fields, { text: [] })[0]?.message).toBe('Give one.');
  });
});
