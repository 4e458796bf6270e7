import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replaceText } from '../../../src/content/rich-text/replace-text.js';

const bold = [{ type: 'bold' }];
const text = (value: string, marks?: object[]) => ({ type: 'text', text: value, ...(marks && { marks }) });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const doc = (...content: object[]) => ({ type: 'doc', content });

describe('replaceText', () => {
  it('replaces every passage of a string, as it is written', () => {
    expect(replaceText('a.b a+b a.b', { find: 'a.b', replace: '$&' })).toEqual({
      value: '$& a+b $&',
      count: 2,
    });
    expect(replaceText('aaa', { find: 'aa', replace: 'b' })).toEqual({ value: 'ba', count: 1 });
  });

  it('keeps marks, and gives a passage that reaches across them those of its start', () => {
    const given = doc(paragraph(text('The '), text('old lo', bold), text('cks close.')));
    expect(replaceText(given, { find: 'locks', replace: 'gates' })).toEqual({
      value: doc(paragraph(text('The '), text('old gates', bold), text(' close.'))),
      count: 1,
    });
  });

  it('removes a passage with the nodes that it leaves empty', () => {
    const given = doc(paragraph(text('The '), text('old ', bold), text('locks')));
    expect(replaceText(given, { find: 'old ', replace: '' }).value).toEqual(
      doc(paragraph(text('The '), text('locks'))),
    );
  });

  it('does not reach across other nodes and paragraphs', () => {
    const given = doc(paragraph(text('one'), { type: 'hardBreak' }, text('two')), {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [paragraph(text('one two'))] }],
    });
    expect(replaceText(given, { find: 'onetwo', replace: 'x' }).count).toBe(0);
    expect(replaceText(given, { find: 'one', replace: 'x' })).toMatchObject({
      count: 2,
      value: {
        content: [
          { content: [{ text: 'x' }, { type: 'hardBreak' }, { text: 'two' }] },
          { content: [{ content: [{ content: [{ text: 'x two' }] }] }] },
        ],
      },
    });
  });

  it('counts in lists of texts, and leaves other values as they are', () => {
    expect(replaceText(['a', doc(paragraph(text('a a')))], { find: 'a', replace: 'b' }).count).toBe(3);
    const place = { lat: 1, lng: 2 };
    expect(replaceText(place, { find: '1', replace: '2' })).toEqual({ value: place, count: 0 });
  });

  it('gives the same text however it is divided by marks', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 });
    const parts = fc.array(
      letters.filter((part) => part !== ''),
      { minLength: 1, maxLength: 5 },
    );
    const find = letters.filter((part) => part !== '');
    fc.assert(
      fc.property(parts, find, letters, (given, passage, replace) => {
        const change = { find: passage, replace };
        const divided = doc(
          paragraph(...given.map((part, at) => text(part, at % 2 === 0 ? bold : undefined))),
        );
        const { value, count } = replaceText(divided, change);
        const [{ content }] = (value as { content: [{ content: { text: string }[] }] }).content;
        expect({ value: content.map((node) => node.text).join(''), count }).toEqual(
          replaceText(given.join(''), change),
        );
      }),
      { seed: 20_261, numRuns: 500 },
    );
  });
});
