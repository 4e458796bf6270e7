import { describe, expect, it } from '@jest/globals';
import { linksOf, mapLinks } from '../../src/content/links.js';
import { entryId, field } from './fields.js';

const otherId = '019a3b5e-7c1a-7f00-8000-000000000002';
const fields = [field('reference'), field('blocks', { isList: true }), field('json')];
const values = {
  reference: { _ref: entryId },
  blocks: [{ _ref: otherId, _type: 'hero' }, { _ref: entryId }],
  json: { _ref: entryId },
};

describe('linksOf', () => {
  it('finds every link with its field, and none in other kinds', () => {
    expect(linksOf(fields, values)).toEqual([
      { fieldApiName: 'reference', id: entryId, type: null },
      { fieldApiName: 'blocks', id: otherId, type: 'hero' },
      { fieldApiName: 'blocks', id: entryId, type: null },
    ]);
  });

  it('finds no links in values that are not set', () => {
    expect(linksOf(fields, { reference: null })).toEqual([]);
  });
});

describe('mapLinks', () => {
  it('adds types to links and leaves other values unchanged', () => {
    const mapped = mapLinks(fields, values, (link) => ({ ...link, type: link.type ?? 'author' }));
    expect(mapped).toEqual({
      reference: { _ref: entryId, _type: 'author' },
      blocks: [
        { _ref: otherId, _type: 'hero' },
        { _ref: entryId, _type: 'author' },
      ],
      json: { _ref: entryId },
    });
    expect(mapped.json).toBe(values.json);
    expect((mapped.blocks as unknown[])[0]).toBe(values.blocks[0]);
    expect(values.reference).toEqual({ _ref: entryId });
  });

  it('keeps the identity of unchanged lists', () => {
    expect(mapLinks(fields, values, (link) => link).blocks).toBe(values.blocks);
  });

  it('adds no fields when mapping links', () => {
    expect(mapLinks(fields, { json: 1 }, (link) => link)).toEqual({ json: 1 });
  });
});
