import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EntrySlug } from '../../contracts/primitives.js';
import { makeSlug, normalizeSlug } from '../../src/content/make-slug.js';

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
  ])('makes %j into %j', (text, slug) => {
    expect(makeSlug(text)).toBe(slug);
  });

  it('always makes a legal slug of at most 80 characters, or none', () => {
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

  it('cuts between words where it can and inside one where it must', () => {
    expect(makeSlug('abcdefghi '.repeat(20))).toBe(Array(8).fill('abcdefghi').join('-'));
    expect(makeSlug(`a ${'b'.repeat(200)}`)).toBe(`a-${'b'.repeat(78)}`);
  });

  it('is stable: a slug of a slug is the slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        const slug = makeSlug(text);
        if (slug !== null) expect(makeSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('normalizeSlug', () => {
  it('composes what is composed of several code points', () => {
    expect(normalizeSlug('caf\u0065\u0301')).toBe('caf\u00e9');
  });
});
