import { describe, expect, it } from '@jest/globals';
import { rangeAfter } from './selected-text.js';

describe('A range of a string', () => {
  it('follows a change before it, keeps one within it, and ends with its words', () => {
    const range = { from: 4, to: 8 };
    expect(rangeAfter('The lock opens', 'The upper lock opens', range)).toEqual({ from: 10, to: 14 });
    expect(rangeAfter('The lock opens', 'The loooock opens', range)).toEqual({ from: 4, to: 11 });
    expect(rangeAfter('The lock opens', 'The lock closes', range)).toEqual(range);
    expect(rangeAfter('The lock opens', 'The  opens', range)).toBeUndefined();
    expect(rangeAfter('same', 'same', { from: 0, to: 4 })).toEqual({ from: 0, to: 4 });
  });
});
