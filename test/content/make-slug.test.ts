import { describe, expect, it } from '@jest/globals';
import { EntrySlug } from '../../contracts/primitives.js';
import { makeSlug, normalizeSlug } from '../../src/content/slug-field.js';
import { fc } from '../support/properties.js';

describe('makeSlug', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  Crème brûlée  ', 'creme-brulee'],
    ['Crème brûlée'.normalize('NFD'), 'creme-brulee'],
    ['Größe & Maß', 'grosse-mass'],
    ['Привет мир', 'privet-mir'],
    ["What's new?", 'whats-new'],
    ['What’s new?', 'whats-new'],
    ['../..', null],
    ['', null],
    ['!!!', null],
  ])('makes %j into the slug %j', (text, slug) => {
    expect(makeSlug(text)).toBe(slug);
  });

  it.each([
    ['de', 'Größe & Öl für Äpfel', 'groesse-oel-fuer-aepfel'],
    ['de-CH', 'ÄRZTE in STRAẞEN', 'aerzte-in-strassen'],
    ['de', 'Größe'.normalize('NFD'), 'groesse'],
    ['en', 'Größe', 'grosse'],
    ['da', 'Rødgrød på Ærø', 'roedgroed-paa-aeroe'],
    ['nb', 'Ærlig Øl', 'aerlig-oel'],
    ['sv-SE', 'Smörgås på älv', 'smorgas-pa-alv'],
    ['tr', 'İstanbul IĞDIR ışık', 'istanbul-igdir-isik'],
    ['az', 'Azərbaycan', 'azerbaycan'],
    ['uk', 'Згурський Київ, їжак і щука', 'zghurskyi-kyiv-yizhak-i-shchuka'],
    ['uk', 'Об’єкт на Юрія Гай', 'obiekt-na-yuriia-hai'],
    ['ru', 'Щи и Гай', 'shchi-i-gay'],
    ['bg', 'Щъркел', 'shtarkel'],
    ['be', 'Віцебск і Гай', 'vitsebsk-i-hai'],
    ['sr-Cyrl', 'Ђорђе и Љубав', 'djordje-i-ljubav'],
    ['hr', 'Đakovo čaša', 'djakovo-casa'],
    ['mk', 'Ѓорѓи Ќе', 'gjorgji-kje'],
    ['el', 'Ούζο του', 'ouzo-tou'],
    ['ca', 'Col·legi', 'collegi'],
    ['zh-Hans', '你好 世界', 'nihao-shijie'],
    ['ja', '日本語の タイトル', '日本語の-タイトル'],
    ['ja', 'カタカナ', 'katakana'],
    ['ja', '第１章\u200b：ＡＢＣ', '第1章-abc'],
  ])('in the locale %s makes %j into the slug %j', (locale, text, slug) => {
    expect(makeSlug(text, locale)).toBe(slug);
  });

  it('returns a valid slug, which stays the same, in every locale', () => {
    const locales = ['de', 'da', 'tr', 'uk', 'bg', 'sr', 'el', 'ja', 'ar', 'zh'];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.string({ unit: 'grapheme', maxLength: 300 }),
        ),
        fc.constantFrom(...locales),
        (text, locale) => {
          const slug = makeSlug(`語${text}`, locale);
          if (slug === null) return;
          expect(EntrySlug.safeParse(slug).success).toBe(true);
          expect(slug.length).toBeLessThanOrEqual(80);
          expect(normalizeSlug(slug)).toBe(slug);
          expect(makeSlug(slug, locale)).toBe(slug);
        },
      ),
    );
  });

  it('returns a valid slug of at most 80 characters, or null', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.lorem({ maxCount: 40 })),
        (text) => {
          const slug = makeSlug(text);
          if (slug === null) return;
          expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(slug.length).toBeLessThanOrEqual(80);
          expect(EntrySlug.safeParse(slug).success).toBe(true);
        },
      ),
    );
  });

  it('cuts a slug between words where possible, otherwise inside a word', () => {
    expect(makeSlug('abcdefghi '.repeat(20))).toBe(Array(8).fill('abcdefghi').join('-'));
    expect(makeSlug(`a ${'b'.repeat(200)}`)).toBe(`a-${'b'.repeat(78)}`);
  });

  it('returns the same slug for a slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        const slug = makeSlug(text);
        if (slug !== null) expect(makeSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('EntrySlug', () => {
  it.each([
    ['a zero-width space', 'a\u200bb'],
    ['a joiner at the end', 'a\u200d'],
    ['a joiner before a digit', 'a\u200c1'],
    ['two joiners', 'a\u200d\u200db'],
    ['a word joiner', 'a\u2060b'],
    ['a soft hyphen', 'a\u00adb'],
    ['a direction mark', 'a\u200e'],
    ['a direction override', '\u202ea'],
    ['an isolate', '\u2066a'],
    ['a variation selector', 'a\ufe0f'],
    ['an invisible letter', 'a\u3164'],
    ['an invisible tag', 'a\u{e0041}'],
  ])('refuses %s', (_what, slug) => {
    const { error } = EntrySlug.safeParse(slug);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must not contain invisible or direction characters',
    ]);
  });

  it.each([
    ...['straße', 'あ', 'שלום', 'مرحبا', 'हिन्दी', 'e\u0301', '🚀'],
    ...['می\u200cخواهم', 'क्\u200dष', 'a\u200db'],
  ])('accepts %s', (slug) => {
    expect(EntrySlug.safeParse(slug).success).toBe(true);
  });
});

describe('normalizeSlug', () => {
  it('composes decomposed characters', () => {
    expect(normalizeSlug('caf\u0065\u0301')).toBe('caf\u00e9');
  });
});
