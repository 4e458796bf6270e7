import { describe, expect, it } from '@jest/globals';
import { fieldKinds } from '../../../contracts/content/fields/field-kinds.js';
import { checkFieldDefinition } from '../../../src/content/validate-fields.js';
import { field } from '../fields.js';

const issues = (...definition: Parameters<typeof field>) =>
  checkFieldDefinition(field(...definition)).map(({ code, path }) => `${code} ${path.join('.')}`);

describe('checkFieldDefinition', () => {
  it('accepts a definition of every kind without options', () => {
    for (const kind of fieldKinds) expect(issues(kind)).toEqual([]);
  });

  it('rejects options that the kind does not have', () => {
    expect(issues('boolean', { validations: { minLength: 1 } })).toEqual([
      'unrecognized_key validations.minLength',
    ]);
    expect(issues('text', { settings: { options: [] } })).toEqual(['unrecognized_key settings.options']);
    expect(issues('select', { settings: {} })).toEqual(['invalid_type settings.options']);
    expect(issues('text', { validations: { maxLength: 513 } })).toEqual(['too_big validations.maxLength']);
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '[a', '(', 'a{2,1}', '*'])(
    'rejects the pattern %s',
    (pattern) => {
      expect(issues('text', { validations: { pattern } })).toEqual(['invalid_pattern validations.pattern']);
      expect(issues('text', { validations: { forbiddenPattern: pattern } })).toEqual([
        'invalid_pattern validations.forbiddenPattern',
      ]);
    },
  );

  it.each(['^\\S+$', '\\/', '(?<year>\\d{4})', '\\p{L}', '\\u00e9', '[\\w.-]+', '\\\\k', '^[a-z]{1,512}$'])(
    'accepts the pattern %s',
    (pattern) => {
      expect(issues('text', { validations: { pattern } })).toEqual([]);
    },
  );

  it('rejects a pattern that is too costly for the maximum length of the field', () => {
    const pattern = '[ab]*a[ab]{900}c';
    expect(issues('longText', { validations: { pattern } })).toEqual([
      'pattern_too_costly validations.pattern',
    ]);
    expect(issues('longText', { validations: { pattern, maxLength: 2000 } })).toEqual([]);
    expect(issues('text', { validations: { pattern: '(?:.{1000}){1}'.repeat(30) } })).toEqual([
      'pattern_too_costly validations.pattern',
    ]);
  });

  it('rejects ranges without values', () => {
    expect(issues('integer', { validations: { min: 2, max: 1 } })).toEqual(['empty_range validations.min']);
    expect(issues('date', { validations: { min: '2026-01-02', max: '2026-01-01' } })).toEqual([
      'empty_range validations.min',
    ]);
    expect(
      issues('dateTime', { validations: { min: '2026-01-01T00:00:00Z', max: '2026-01-01T01:00:00+02:00' } }),
    ).toEqual(['empty_range validations.min']);
    expect(issues('text', { validations: { minLength: 2, maxLength: 1 } })).toEqual([
      'empty_range validations.minLength',
    ]);
    expect(issues('json', { isList: true, validations: { minItems: 2, maxItems: 1 } })).toEqual([
      'empty_range validations.minItems',
    ]);
    expect(issues('integer', { validations: { min: 1, max: 1 } })).toEqual([]);
  });

  it('rejects two options with the same value', () => {
    expect(
      issues('select', { settings: { options: [{ value: 'a' }, { value: 'b' }, { value: 'a' }] } }),
    ).toEqual(['duplicate_option settings.options.2.value']);
  });

  it('rejects unknown names of nodes and marks', () => {
    expect(
      issues('richText', {
        validations: { allowedNodes: ['paragraph', 'video'], allowedMarks: ['toString'] },
      }),
    ).toEqual(['unknown_node validations.allowedNodes.1', 'unknown_mark validations.allowedMarks.0']);
  });

  it('checks the default value as a value of the field', () => {
    expect(issues('integer', { defaultValue: 1 })).toEqual([]);
    expect(issues('integer', { defaultValue: '1' })).toEqual(['invalid_type defaultValue']);
    expect(issues('select', { defaultValue: 'c' })).toEqual(['unknown_option defaultValue']);
    expect(issues('integer', { isList: true, defaultValue: 1 })).toEqual(['invalid_type defaultValue']);
    expect(issues('integer', { isList: true, defaultValue: [1, 'x', null] })).toEqual([
      'invalid_type defaultValue.1',
      'invalid_type defaultValue.2',
    ]);
  });
});
