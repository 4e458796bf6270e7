import { expect, it } from '@jest/globals';
import { movesInto } from '../../src/cli/export/sibling-order.js';

/** Siblings after moves, one after the other. */
function moved(present: readonly string[], moves: ReturnType<typeof movesInto>): string[] {
  const siblings = [...present];
  for (const { id, afterId } of moves) {
    const at = siblings.indexOf(id);
    if (at >= 0) siblings.splice(at, 1);
    siblings.splice(afterId === null ? 0 : siblings.indexOf(afterId) + 1, 0, id);
  }
  return siblings;
}

const permutations = (items: readonly string[]): string[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

it('Moves bring siblings from every order into another one, and leave siblings that are not in it', () => {
  const wanted = ['a', 'b', 'c', 'd'];
  for (const present of permutations([...wanted, 'foreign'])) {
    const result = moved(present, movesInto(wanted, present));
    expect(result.filter((id) => id !== 'foreign')).toEqual(wanted);
    expect(result).toHaveLength(5);
  }
});

it.each([
  { title: 'nothing that is in order', present: ['a', 'x', 'b', 'c', 'd'], count: 0 },
  { title: 'the one that is late', present: ['b', 'c', 'd', 'a'], count: 1 },
  { title: 'the one that is early', present: ['d', 'a', 'b', 'c'], count: 1 },
  { title: 'the one that has another parent', present: ['a', 'b', 'd'], count: 1 },
  { title: 'all but one of a reversed order', present: ['d', 'c', 'b', 'a'], count: 3 },
])('Moves are the fewest: $title', ({ present, count }) => {
  expect(movesInto(['a', 'b', 'c', 'd'], present)).toHaveLength(count);
});
