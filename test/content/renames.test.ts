import { describe, expect, it } from '@jest/globals';
import { Renames, type Rename } from '../../src/content/renames.js';

const rename = (number: number, contentTypeId: string, [from, to]: [string, string]): Rename => ({
  number,
  contentTypeId,
  from,
  to,
  kind: 'field',
});

/** Pages with sections that have cards, under the names of today. */
const renames = new Renames({
  contentTypeId: 'page-id',
  renames: [
    rename(1, 'card-id', ['heading', 'label']),
    { number: 2, kind: 'contentType', contentTypeId: 'card-id', from: 'card', to: 'tile' },
    rename(3, 'page-id', ['body', 'main']),
    rename(4, 'section-id', ['cards', 'tiles']),
    rename(5, 'card-id', ['label', 'name']),
  ],
  types: [
    { id: 'page-id', apiName: 'page', linkFields: ['main'], blockFields: ['main'], lists: { title: false } },
    { id: 'section-id', apiName: 'section', linkFields: ['tiles'], blockFields: ['tiles'], lists: {} },
    { id: 'card-id', apiName: 'tile', linkFields: [], blockFields: [], lists: { tags: true } },
  ],
  blocks: { s: 'section-id', c: 'card-id' },
});

const cards = (name: string, type: string, fields: object) => ({
  [name]: [{ _ref: 'c', _type: type, fields }],
});
const sections = (fields: object) => [{ _ref: 's', _type: 'section', fields }];

describe('values of versions', () => {
  it('are read under current names inside own blocks', () => {
    const values = {
      heading: 'before',
      body: sections(cards('cards', 'card', { heading: 'H', tags: 'one' })),
    };
    expect(renames.values(values, 0)).toEqual({
      heading: 'before',
      main: sections(cards('tiles', 'tile', { name: 'H', tags: ['one'] })),
    });
  });

  it('follow only the renames after they were written', () => {
    const values = { main: sections(cards('cards', 'tile', { heading: 'Another field', label: 'H' })) };
    expect(renames.values(values, 3)).toEqual({
      main: sections(cards('tiles', 'tile', { heading: 'Another field', name: 'H' })),
    });
  });

  it('are read under current names in localized values of blocks, by the block', () => {
    const values = {
      body: { s: { heading: 'of a section' }, c: { heading: 'H' }, x: { heading: 'unknown' } },
    };
    expect(renames.values(values, 0)).toEqual({
      main: { s: { heading: 'of a section' }, c: { name: 'H' }, x: { heading: 'unknown' } },
    });
  });

  it('keep links to shared blocks', () => {
    expect(renames.values({ body: [{ _ref: 'x', _type: 'card' }] }, 0)).toEqual({
      main: [{ _ref: 'x', _type: 'tile' }],
    });
  });
});

describe('names of changed fields', () => {
  it.each([
    ['body', 'main'],
    ['body[s].cards', 'main[s].tiles'],
    ['body[s].cards[c].heading', 'main[s].tiles[c].name'],
    ['body[s].cards[c]', 'main[s].tiles[c]'],
    ['heading', 'heading'],
    ['_slug', '_slug'],
  ])('reads %s as %s', (former, current) => {
    expect(renames.fieldName(former, 0)).toBe(current);
  });

  it('follow only later renames', () => {
    expect(renames.fieldName('main[s].cards[c].heading', 3)).toBe('main[s].tiles[c].heading');
    expect(renames.fieldName('main[s].cards[c].label', 3)).toBe('main[s].tiles[c].name');
  });
});
