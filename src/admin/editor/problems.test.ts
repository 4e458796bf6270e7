import { describe, expect, it } from '@jest/globals';
import { partsOf } from '../api/issue-words.js';
import { messagesWithin, openProblems, problemsOf, refusalOf } from './problems.js';

const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const issue = (...path: (string | number)[]) => ({ path, code: 'invalid', message: 'Wrong.' });
const block = (words: string) => ({ _ref: id, _type: 'quote', fields: { words } });

describe('Issues of the service', () => {
  it('are mapped to fields, to items of lists, and into blocks by the ids of these', () => {
    const problems = problemsOf(
      [
        issue('fields', 'title'),
        issue('fields', 'place', 'lat'),
        issue('fields', 'tags', 1),
        issue('fields', 'parts', 0, 'fields', 'words'),
        issue('fields', 'parts', 0),
        issue('slug'),
      ],
      { tags: ['one', 'two'], parts: [block('')] },
    );
    expect(Object.fromEntries(problems)).toEqual({
      title: ['Wrong.'],
      place: ['lat: Wrong.'],
      'tags[#1]': ['Wrong.'],
      [`parts[${id}].words`]: ['Wrong.'],
      [`parts[${id}]`]: ['Wrong.'],
      _slug: ['Wrong.'],
    });
    expect(messagesWithin(problems, 'tags')).toEqual(['Wrong.']);
    expect(messagesWithin(problems, 'parts')).toEqual([]);
  });

  it('of entries that would be published along are separate, by entry', () => {
    const { problems, along } = refusalOf([issue('dependencies', id, 'fields', 'name')], {
      slug: '',
      fields: {},
    });
    expect(problems.size).toBe(0);
    expect(along.get(id)).toMatchObject([{ path: ['fields', 'name'], message: 'Wrong.' }]);
  });

  it('vanish when their value changes, and those of a list when it has other blocks', () => {
    const content = { slug: 's', fields: { title: '', count: 'x', parts: [block('')] } };
    const refusal = refusalOf(
      [issue('fields', 'title'), issue('fields', 'count'), issue('fields', 'parts'), issue('slug')],
      content,
    );
    const pathsAfter = (fields: object, slug = 's') => [
      ...openProblems([refusal], { slug, fields: { ...content.fields, ...fields } }).keys(),
    ];
    expect(pathsAfter({})).toEqual(['title', 'count', 'parts', '_slug']);
    expect(pathsAfter({ count: 12, parts: [block('Words')] })).toEqual(['title', 'parts', '_slug']);
    expect(pathsAfter({ parts: [] }, 'other')).toEqual(['title', 'count']);
  });

  it('are cut at the ids of entries', () => {
    expect(partsOf(`The entry ${id} is not published.`)).toEqual(['The entry ', id, ' is not published.']);
  });
});
