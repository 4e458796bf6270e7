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

describe('normalizeSlug', () => {
  it('composes decomposed characters', () => {
    expect(normalizeSlug('caf\u0065\u0301')).toBe('caf\u00e9');
  });
});
