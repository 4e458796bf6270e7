import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/properties.js';
import { changesOf, partsOf } from './changes.js';

describe('Changes between two states', () => {
  it('are found inside objects and lists of the same things, and are nothing between equal states', () => {
    const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', text }] });
    const before = {
      title: 'One',
      body: doc('a'),
      tags: ['x'],
      locales: [{ locale: 'en', status: 'draft' }],
    };
    const after = {
      title: 'One',
      body: doc('b'),
      tags: ['y'],
      locales: [{ locale: 'en', status: 'published' }],
    };
    expect(changesOf(before, after)).toEqual([
      { path: ['body'], from: doc('a'), to: doc('b') },
      { path: ['tags'], from: ['x'], to: ['y'] },
      { path: ['locales', 'en', 'status'], from: 'draft', to: 'published' },
    ]);
    expect(changesOf(before, structuredClone(before))).toEqual([]);
  });

  it('are all values of what was created or deleted, and the whole list when its order changed', () => {
    expect(changesOf(null, { name: 'A' })).toEqual([{ path: ['name'], from: undefined, to: 'A' }]);
    expect(changesOf({ name: 'A' }, null)).toEqual([{ path: ['name'], from: 'A', to: undefined }]);
    const [one, two] = [{ apiName: 'a' }, { apiName: 'b' }];
    expect(changesOf({ fields: [one, two] }, { fields: [two, one] })).toHaveLength(1);
    expect(changesOf({ fields: [one, one] }, { fields: [one, two] })).toHaveLength(1);
    const links = [[{ _ref: '1' }], [{ _ref: '2' }]];
    expect(changesOf({ parts: links[0] }, { parts: links[1] })).toEqual([
      { path: ['parts'], from: links[0], to: links[1] },
    ]);
  });

  it('mark whole words, and lose nothing of the strings', () => {
    expect(partsOf('The upper lock', 'The lower lock')).toEqual({
      from: { start: 'The ', changed: 'upper', end: ' lock' },
      to: { start: 'The ', changed: 'lower', end: ' lock' },
    });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '\n') });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const parts = partsOf(from, to);
        expect([parts.from, parts.to].map(({ start, changed, end }) => start + changed + end)).toEqual([
          from,
          to,
        ]);
        expect([parts.from.start, parts.from.end]).toEqual([parts.to.start, parts.to.end]);
        expect(parts.from.start.isWellFormed() && parts.to.end.isWellFormed()).toBe(true);
      }),
    );
  });
});
