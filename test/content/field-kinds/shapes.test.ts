import { describe, expect, it } from '@jest/globals';
import { fieldKinds, type FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import {
  compatibleKinds,
  fieldKindRules,
  type FieldKindRules,
} from '../../../src/content/field-kinds/index.js';
import { entryId, field } from '../fields.js';

const rules: Record<FieldKind, FieldKindRules> = fieldKindRules;
const codes = (kind: FieldKind, value: unknown, settings?: Record<string, unknown>) =>
  rules[kind].checkShape(value, field(kind, settings ? { settings } : {})).map(({ code }) => code);

const good: Record<FieldKind, unknown[]> = {
  text: ['', 'a', 'x'.repeat(512), '😀'.repeat(512)],
  longText: ['', 'a\nb', 'x'.repeat(200_000)],
  richText: [{ type: 'doc', content: [{ type: 'paragraph' }] }],
  slug: ['a', 'größe', '日本', 'x'.repeat(200)],
  integer: [0, -1, 9007199254740991],
  number: [0, 0.1, -1e300],
  boolean: [true, false],
  date: ['2026-03-01', '2024-02-29', '2000-02-29'],
  dateTime: ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123456+02:00', '2024-02-29T23:59:59-11:30'],
  select: ['a', 'b'],
  url: ['https://a.b', 'http://a.b:8080/c?d=e#f', 'HTTPS://a/b', 'https://müller.de/ö'],
  email: ['a@b.co', 'first.last+tag@sub.example.com'],
  color: ['#1a2B3c', '#1a2b3cFF'],
  location: [
    { lat: 0, lng: 0 },
    { lat: -90, lng: 180 },
    { lat: 47.376887, lng: 8.541694 },
  ],
  json: [0, '', false, [], {}, { a: [{ b: null }] }],
  media: [{ _ref: entryId }, { _ref: entryId, _type: 'MediaAsset' }],
  reference: [{ _ref: entryId }, { _ref: entryId, _type: 'article' }],
  blocks: [{ _ref: entryId }, { _ref: entryId, _type: 'hero' }],
  custom: [{ amount: 1.5, currency: 'EUR' }],
};

const bad: Record<FieldKind, unknown[]> = {
  text: [1, true, [], {}, 'x'.repeat(513)],
  longText: [1, 'x'.repeat(200_001)],
  richText: [
    '<p>',
    {},
    [],
    { type: 'doc', content: [{ type: 'text', text: 'a' }] },
    { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(262_144) }] }] },
  ],
  slug: [1, '', 'a b', 'a/b', '.', '..', 'a?b', 'x'.repeat(201)],
  integer: ['1', 1.5, 9007199254740992, Infinity, Number.NaN, true],
  number: ['1', Infinity, Number.NaN, null],
  boolean: ['true', 0, 1],
  date: [
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-1-1',
    '2026-03-01T00:00:00Z',
    20260301,
    '',
  ],
  dateTime: [
    '2026-03-01',
    '2026-03-01T09:30:00',
    '2026-02-30T09:30:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01 09:30:00Z',
    `2026-03-01T09:30:00.${'1'.repeat(50)}Z`,
    0,
  ],
  select: ['c', '', 1, ['a']],
  url: [
    'a.b',
    '/a',
    'ftp://a.b',
    'javascript:alert(1)',
    'mailto:a@b.c',
    'http:a.b',
    'https://',
    ' https://a.b',
    'https://a.b\n',
    'https://a b',
    'https://a\\b',
    `https://a.b/${'x'.repeat(2048)}`,
    1,
  ],
  email: ['a', 'a@', '@b.c', 'a b@c.d', 'A <a@b.c>', `${'x'.repeat(250)}@b.co`, 1],
  color: ['#12345', '#1234567', '1a2b3c', '#1a2b3g', '#1a2b3c\n', 'red', '', 1, null],
  location: [
    '0,0',
    [0, 0],
    {},
    { lat: 0 },
    { lat: '0', lng: 0 },
    { lat: 90.001, lng: 0 },
    { lat: 0, lng: -180.1 },
    { lat: Number.NaN, lng: 0 },
    { lat: 0, lng: 0, alt: 1 },
  ],
  json: [undefined, Number.NaN, 1n, ['\0'], { a: '\ud800' }],
  media: [
    entryId,
    null,
    {},
    { _ref: 'x' },
    { _ref: entryId.toUpperCase() },
    { _ref: entryId, _type: 'article' },
    { _ref: entryId, url: 'https://a.b' },
  ],
  reference: [
    entryId,
    null,
    [],
    {},
    { _ref: 'x' },
    { _ref: entryId.toUpperCase() },
    { _ref: entryId, _type: 1 },
    { _ref: entryId, title: 'x' },
  ],
  blocks: [entryId, { _ref: 1 }, { _type: 'hero' }],
  custom: [null, 1, {}, { amount: 1 }, { amount: 1, currency: 'GBP' }, { amount: 1, currency: 'EUR', a: 1 }],
};

describe('checkShape', () => {
  it.each(fieldKinds)('accepts valid values of kind %s', (kind) => {
    for (const value of good[kind]) expect([value, codes(kind, value)]).toEqual([value, []]);
  });

  it.each(fieldKinds)('rejects invalid values of kind %s', (kind) => {
    for (const value of bad[kind]) expect([value, codes(kind, value).length]).not.toEqual([value, 0]);
  });

  it('accepts links only to the types that the field allows', () => {
    const settings = { contentTypes: ['article'] };
    expect(codes('reference', { _ref: entryId, _type: 'article' }, settings)).toEqual([]);
    expect(codes('reference', { _ref: entryId }, settings)).toEqual([]);
    expect(rules.blocks.checkShape({ _ref: entryId, _type: 'page' }, field('blocks', { settings }))).toEqual([
      { path: ['_type'], code: 'type_not_allowed', message: expect.any(String) },
    ]);
  });

  it('returns the path inside a value', () => {
    expect(
      rules.reference.checkShape({ _ref: 'x', a: 1 }, field('reference')).map(({ path }) => path),
    ).toEqual([['a'], ['_ref']]);
    expect(rules.json.checkShape({ a: [Number.NaN] }, field('json'))[0]?.path).toEqual(['a', 0]);
  });
});

describe('compatible kinds', () => {
  it('accepts every value of a compatible kind unchanged', () => {
    for (const kind of fieldKinds) {
      for (const target of compatibleKinds(kind)) {
        for (const value of good[kind])
          expect([kind, target, codes(target, value)]).toEqual([kind, target, []]);
      }
    }
  });

  it('treats exactly the kinds that need no conversion as compatible', () => {
    const compatible = fieldKinds.map((kind) => [kind, compatibleKinds(kind)] as const);
    expect(Object.fromEntries(compatible.filter(([, kinds]) => kinds.length > 0))).toEqual({
      text: ['longText'],
      slug: ['text', 'longText'],
      integer: ['number'],
      select: ['text', 'longText'],
      url: ['longText'],
      email: ['text', 'longText'],
      color: ['text', 'longText'],
      location: ['json'],
      custom: ['json'],
    });
  });
});

describe('deliver and links', () => {
  it('delivers rich text as tree, HTML and text, and other values unchanged', () => {
    const raw = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a<b' }] }] };
    expect(rules.richText.deliver(raw, field('richText'))).toEqual({
      raw,
      html: '<p>a&lt;b</p>',
      text: 'a<b',
    });
    const others = fieldKinds.filter((kind) => kind !== 'richText');
    for (const kind of others) expect(rules[kind].deliver(good[kind][0], field(kind))).toBe(good[kind][0]);
  });

  it('finds the entries that a value references', () => {
    expect(rules.reference.links({ _ref: entryId })).toEqual([{ id: entryId, type: null }]);
    expect(rules.blocks.links({ _ref: entryId, _type: 'hero' })).toEqual([{ id: entryId, type: 'hero' }]);
    expect(rules.json.links({ _ref: entryId })).toEqual([]);
  });
});
