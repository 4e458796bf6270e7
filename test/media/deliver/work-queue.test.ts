import { describe, expect, it } from '@jest/globals';
import { QueueFull, WorkQueue } from '../../../src/infrastructure/images/work-queue.js';

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    opened: promise,
    open: () => {
      resolve(undefined);
    },
  };
}

describe('Queue of renditions', () => {
  it('runs a bounded number at once, in order', async () => {
    const queue = new WorkQueue({ concurrency: 2, waiting: 10 });
    const gates = Array.from({ length: 5 }, gate);
    const started: number[] = [];
    const all = gates.map(({ opened }, index) =>
      queue.run(async () => {
        started.push(index);
        await opened;
        return index;
      }),
    );
    await Promise.resolve();
    expect([started, queue.waiting]).toEqual([[0, 1], 3]);
    gates[1]?.open();
    await all[1];
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('refuses more than may wait, and those that wait too long', async () => {
    const queue = new WorkQueue({ concurrency: 1, waiting: 1, waitMilliseconds: 1 });
    const first = gate();
    const running = queue.run(() => first.opened);
    const waiting = queue.run(() => Promise.resolve());
    await expect(queue.run(() => Promise.resolve())).rejects.toBeInstanceOf(QueueFull);
    await expect(waiting).rejects.toBeInstanceOf(QueueFull);
    first.open();
    await running;
    await expect(queue.run(() => Promise.resolve('free again'))).resolves.toBe('free again');
  });

  it('frees the place of work that fails', async () => {
    const queue = new WorkQueue({ concurrency: 1, waiting: 1 });
    await expect(queue.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect(queue.running).toBe(0);
  });
});
