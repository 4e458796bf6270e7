import { expect, it } from '@jest/globals';
import { readListSearch } from './list-search.js';

it('addresses with unknown or malformed filters are read as far as possible', () => {
  const search = readListSearch({ type: 'article', status: 'gone', locale: 7, q: 2026, other: 'x' });
  expect(search).toEqual({
    type: 'article',
    site: undefined,
    locale: undefined,
    status: undefined,
    q: '2026',
  });
});
