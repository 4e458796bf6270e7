import { expect, it } from '@jest/globals';
import { pageWindow } from '../../src/features/shared/lists.js';
import { fc } from '../support/properties.js';

it('returns the same page from either end and skips at most half of the list', () => {
  const rows = fc
    .integer({ min: 0, max: 60 })
    .map((total) => Array.from({ length: total }, (_, index) => index));
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 20 }), fc.nat({ max: 80 }), (list, limit, offset) => {
      const { isReversed, ...window } = pageWindow({ limit, offset }, list.length);
      const walked = isReversed ? list.toReversed() : list;
      const found = walked.slice(window.offset, window.offset + window.limit);
      expect(found.toSorted((a, b) => a - b)).toEqual(list.slice(offset, offset + limit));
      expect(window.offset).toBeLessThanOrEqual(list.length / 2);
    }),
  );
});
