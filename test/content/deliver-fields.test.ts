import { describe, expect, it } from '@jest/globals';
import { deliverFields } from '../../src/content/deliver-fields.js';
import { entryId, field } from './fields.js';
import { doc, paragraph, text } from './rich-text/documents.js';

describe('deliverFields', () => {
  it('delivers every field of the type in its order, set or not, and nothing else', () => {
    const fields = [field('richText'), field('text', { isList: true }), field('integer'), field('json')];
    const delivered = deliverFields(fields, { stray: 1, integer: 0, json: null });
    expect(Object.entries(delivered)).toEqual([
      ['richText', null],
      ['text', []],
      ['integer', 0],
      ['json', null],
    ]);
  });

  it('delivers each item of a list', () => {
    const raw = doc(paragraph(text('a')));
    expect(deliverFields([field('richText', { isList: true })], { richText: [raw] })).toEqual({
      richText: [{ raw, html: '<p>a</p>', text: 'a' }],
    });
  });

  it('delivers links as stored', () => {
    const link = { _ref: entryId, _type: 'author' };
    expect(deliverFields([field('reference')], { reference: link }).reference).toBe(link);
  });
});
