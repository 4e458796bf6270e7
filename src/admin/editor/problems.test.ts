import { expect, it } from '@jest/globals';
import { problemsOf } from './problems.js';

it('messages are shown at their field, with the place inside it', () => {
  const issue = (...path: (string | number)[]) => ({ path, code: 'invalid', message: 'Wrong.' });
  const problems = problemsOf([
    issue('fields', 'title'),
    issue('fields', 'parts', 1, 'fields', 'name'),
    issue('slug'),
  ]);
  expect(Object.fromEntries(problems)).toEqual({
    title: ['Wrong.'],
    parts: ['2 · name: Wrong.'],
    _slug: ['Wrong.'],
  });
});
