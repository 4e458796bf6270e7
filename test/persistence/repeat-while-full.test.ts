import { describe, expect, it } from '@jest/globals';
import { isFull, repeatWhileFull } from '../../src/features/environments/catalog/index.js';

const SIZE = 100;

/** A queue of which each batch takes at most 100, and to which each adds 30. */
function openQueue(waiting: number) {
  const queue = { waiting, rounds: 0 };
  const round = () => {
    const done = Math.min(SIZE, queue.waiting);
    queue.waiting += 30 - done;
    queue.rounds += 1;
    return Promise.resolve({ done, isMore: done === SIZE });
  };
  return { queue, round };
}

describe('Rounds of batches', () => {
  it('end after a batch that is not full, so that later writes wait for the next run', async () => {
    const { queue, round } = openQueue(250);
    expect(await repeatWhileFull(round, () => false)).toBe(340);
    expect(queue).toEqual({ waiting: 30, rounds: 4 });
  });

  it('end when the service stops', async () => {
    const { queue, round } = openQueue(1000);
    expect(await repeatWhileFull(round, () => queue.rounds === 2)).toBe(200);
    expect(queue.rounds).toBe(2);
  });

  it('are full with the most subjects, or with the most notes of few of them', () => {
    const most = { subjects: 3, notes: 5 };
    const claimed = (...notes: number[]) => notes.map((count) => ({ ids: Array<string>(count).fill('1') }));
    expect(isFull(claimed(1, 1, 1), most)).toBe(true);
    expect(isFull(claimed(4, 1), most)).toBe(true);
    expect(isFull(claimed(3, 1), most)).toBe(false);
    expect(isFull([], most)).toBe(false);
  });
});
