import { describe, expect, it } from '@jest/globals';
import type { FieldDefinition } from '../../src/content/catalog.js';
import { checkPublishable, checkShapes } from '../../src/content/validate-fields.js';
import { issueWords } from '../../src/admin/api/issue-words.js';
import { de } from '../../src/admin/texts/de/index.js';
import { en } from '../../src/admin/texts/en/index.js';

const field = (given: Partial<FieldDefinition>): FieldDefinition =>
  ({
    apiName: 'it',
    name: 'It',
    isList: false,
    localized: true,
    required: false,
    settings: {},
    validations: {},
    customType: null,
    ...given,
  }) as FieldDefinition;

const link = { _ref: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' };
const heading = {
  type: 'doc',
  content: [{ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'long' }] }],
};
const paragraph = (marks: object[]) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'long', marks }] }],
});

/** What a form can be refused with: a field, a value, and the English words that are expected. */
const refused: readonly [code: string, Partial<FieldDefinition>, value: unknown, english: string][] = [
  ['required', { type: 'text', required: true }, '', 'A value is required.'],
  ['invalid_type', { type: 'text' }, 5, 'The value does not fit this field.'],
  ['invalid_type', { type: 'integer' }, 1.5, 'Enter a whole number.'],
  ['invalid_type', { type: 'number' }, 'x', 'Enter a number.'],
  ['too_long', { type: 'text', validations: { maxLength: 3 } }, 'long', 'At most 3 characters are allowed.'],
  [
    'too_short',
    { type: 'text', validations: { minLength: 9 } },
    'short',
    'At least 9 characters are needed.',
  ],
  ['pattern', { type: 'text', validations: { pattern: '^a$' } }, 'b', 'form that this field asks for'],
  ['forbidden_pattern', { type: 'text', validations: { forbiddenPattern: 'b' } }, 'b', 'does not allow'],
  ['not_allowed', { type: 'text', validations: { in: ['a'] } }, 'b', 'not one of the allowed ones'],
  ['invalid_format', { type: 'email' }, 'ada', 'Enter an email address'],
  ['invalid_format', { type: 'url' }, 'example', 'Enter a full web address'],
  ['invalid_format', { type: 'color' }, 'red', 'Enter a color'],
  ['invalid_format', { type: 'slug' }, 'A b', 'Spaces, slashes and'],
  ['invalid_format', { type: 'date' }, 'today', 'Enter a day, such as'],
  ['invalid_format', { type: 'dateTime' }, 'today', 'Enter a day and a time.'],
  ['invalid_format', { type: 'reference' }, { _ref: 'x', _type: 'page' }, 'Choose it again'],
  ['too_small', { type: 'integer', validations: { min: -2 } }, -3, 'must be at least -2.'],
  ['too_big', { type: 'number', validations: { max: 1.5 } }, 2, 'must be at most 1.5.'],
  ['off_step', { type: 'number', validations: { step: 5, min: 1 } }, 3, 'multiple of 5, counted from 1.'],
  ['too_early', { type: 'date', validations: { min: '2026-03-01' } }, '2026-01-01', 'Not before 2026-03-01.'],
  [
    'too_late',
    { type: 'dateTime', validations: { max: '2026-03-01T09:30:00Z' } },
    '2027-01-01T00:00:00Z',
    'Not after 2026-03-01T09:30:00Z.',
  ],
  [
    'unknown_option',
    { type: 'select', settings: { options: [{ value: 'a' }] } },
    'b',
    'not one of the options',
  ],
  ['too_few_items', { type: 'text', isList: true, validations: { minItems: 2 } }, ['a'], 'At least 2 items'],
  [
    'too_many_items',
    { type: 'text', isList: true, validations: { maxItems: 1 } },
    ['a', 'b'],
    'At most 1 items',
  ],
  ['unknown_key', { type: 'location' }, { lat: 1, lng: 2, other: 3 }, 'has parts that'],
  ['out_of_range', { type: 'location' }, { lat: 91, lng: 2 }, 'possible: -90 to 90.'],
  ['wrong_type', { type: 'media' }, { ...link, _type: 'page' }, 'is of another type'],
  [
    'type_not_allowed',
    { type: 'reference', settings: { contentTypes: ['a'] } },
    { ...link, _type: 'b' },
    'not allowed here',
  ],
  [
    'node_not_allowed',
    { type: 'richText', validations: { allowedNodes: ['paragraph'] } },
    heading,
    'a table or a picture',
  ],
  [
    'mark_not_allowed',
    { type: 'richText', validations: { allowedMarks: ['code'] } },
    paragraph([{ type: 'bold' }]),
    'has a format',
  ],
  ['invalid_document', { type: 'richText' }, { type: 'text' }, 'is damaged'],
  ['json_schema', { type: 'json', settings: { jsonSchema: { type: 'object' } } }, [], 'rules of this field'],
];

const said = (
  catalogue: object,
  keys: readonly string[],
  values: Readonly<Record<string, string>>,
): string => {
  const key = keys.find((one) => Object.hasOwn(catalogue, one)) ?? '';
  const text = (catalogue as Readonly<Record<string, string>>)[key] ?? `no text for ${keys.join(' or ')}`;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

describe('Messages of the service at fields', () => {
  it.each(refused)('%s of %j is said in the words of the app', (code, definition, value, english) => {
    const given = [field(definition)];
    const shapes = checkShapes(given, { it: value });
    const found = shapes.length > 0 ? shapes : checkPublishable(given, { it: value });
    const issue = found.find((one) => one.code === code);
    if (issue === undefined) throw new Error(`found ${JSON.stringify(found)}`);
    const { keys, values } = issueWords(issue);
    const words = said(en, keys, values);
    expect(words).toContain(english);
    const german = said(de, keys, values);
    expect(german).not.toMatch(/^no text/);
    for (const shown of words.match(/-?\d[\d.:TZ-]*\d|\d/g) ?? [])
      if (issue.message.includes(shown)) expect(german).toContain(shown);
  });

  it.each([
    ['too_small', 'The width must be at least 640 pixels.', 'The picture must be at least 640 pixels wide.'],
    ['too_large', 'The height must be at most 900 pixels.', 'The picture may be at most 900 pixels high.'],
    ['too_large', 'The file must have at most 5000 bytes.', 'The file may have at most 5000 bytes.'],
    ['too_big', 'Too big: expected string to have <=200 characters', 'At most 200 characters are allowed.'],
    [
      'media_type_not_allowed',
      'The field does not allow files of type image/png.',
      'Files of this kind are not allowed here.',
    ],
    ['custom', 'must not be a dot segment', 'One or two dots alone are not possible here.'],
    ['too_many_items', 'A group is one object.', 'Only one is possible here.'],
  ])('%s is said by what its message is about: %s', (code, message, words) => {
    const { keys, values } = issueWords({ code, message });
    expect([said(en, keys, values), Object.hasOwn(de, keys[0] ?? '')]).toEqual([words, true]);
  });
});
