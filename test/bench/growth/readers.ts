import { setTimeout as delay } from 'node:timers/promises';
import { seededId } from '../seed/bulk-entries.js';
import { BRANCH, prefixes } from './content.js';
import type { Stage } from './stage.js';

/** Reads pages of the first branch with two readers until `isOver`; returns the duration of each read. */
export async function readUntil(stage: Stage, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const pages = Math.min(BRANCH, stage.count) - 2;
  const reader = async (first: number): Promise<void> => {
    for (let n = first; !isOver(); n += 2) {
      const page = 2 + (n % pages);
      const id = seededId(prefixes.page, page % 10 === 5 ? page + 1 : page);
      const startedAt = performance.now();
      await stage.call('GET', `{site}/entries/${id}`);
      await stage.call('GET', `{main}/entries/${id}`);
      times.push((performance.now() - startedAt) / 2);
      await delay(5);
    }
  };
  await Promise.all([reader(0), reader(1)]);
  return times;
}
