import { expect, it } from '@jest/globals';
import { threadsOf, threadWith, type Comment } from './threads.js';

it('comments are threads with their replies, found by any of them', () => {
  const comment = (id: string, parentId: string | null) => ({ id, parentId }) as Comment;
  const threads = threadsOf([comment('a', null), comment('b', null), comment('c', 'a')]);
  expect(threads.map(({ first, replies }) => [first.id, replies.map(({ id }) => id)])).toEqual([
    ['a', ['c']],
    ['b', []],
  ]);
  expect(threadWith(threads, 'c')?.first.id).toBe('a');
});
