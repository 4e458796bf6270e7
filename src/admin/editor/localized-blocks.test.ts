import { expect, it } from '@jest/globals';
import { isBlank } from './localized-blocks.js';

it('a value is blank if a reader would see nothing of it', () => {
  const doc = (...content: object[]) => ({ type: 'doc', content });
  const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
  for (const value of [
    null,
    undefined,
    ' ',
    [],
    [''],
    doc(),
    doc({ type: 'paragraph' }),
    doc(paragraph(' ')),
  ])
    expect([value, isBlank(value)]).toEqual([value, true]);
  for (const value of [
    'a',
    0,
    false,
    ['a'],
    doc(paragraph('a')),
    doc({ type: 'horizontalRule' }),
    { lat: 1 },
  ])
    expect([value, isBlank(value)]).toEqual([value, false]);
});
