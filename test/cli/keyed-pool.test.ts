import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { KeyedPool } from '../../src/cli/import/picture-library.js';

test('a keyed pool runs tasks of different keys concurrently up to its size and tasks of one key in order', async () => {
  const pool = new KeyedPool(3);
  const finished: string[] = [];
  let running = 0;
  let most = 0;
  const keys = ['a', 'a', 'a', 'b', 'c', 'd', 'e', 'a', 'b'];
  for (const [index, key] of keys.entries()) {
    await pool.add(key, async () => {
      running += 1;
      most = Math.max(most, running);
      await delay(key === 'a' && index === 0 ? 20 : 2);
      running -= 1;
      finished.push(`${key}${String(index)}`);
    });
  }
  await pool.drain();
  expect(finished).toHaveLength(keys.length);
  expect(finished.filter((name) => name.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a7']);
  expect(most).toBe(3);
});

test('a keyed pool makes callers wait while it is full', async () => {
  const pool = new KeyedPool(1);
  let isOpen = (): void => undefined;
  const gate = new Promise<void>((resolve) => (isOpen = resolve));
  for (let count = 0; count < 16; count += 1) await pool.add('a', () => gate);
  let isAdded = false;
  const last = pool.add('b', () => gate).then(() => (isAdded = true));
  await delay(5);
  expect(isAdded).toBe(false);
  isOpen();
  await last;
  await pool.drain();
});
