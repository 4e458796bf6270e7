import { describe, expect, it } from '@jest/globals';
import { verifies } from '../../support/verifies.js';
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

describe('Queue of work on pictures', () => {
  verifies('media/renditions-in-turns');

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

  it('takes turns among those who share it', async () => {
    const queue = new WorkQueue({ concurrency: 1, waiting: 10 });
    const first = gate();
    const order: string[] = [];
    const running = queue.run(() => first.opened, 'a');
    const work = (name: string, share: string) =>
      queue.run(() => {
        order.push(name);
        return Promise.resolve();
      }, share);
    const all = [
      work('a1', 'a'),
      work('a2', 'a'),
      work('a3', 'a'),
      work('b1', 'b'),
      work('c1', 'c'),
      work('b2', 'b'),
    ];
    first.open();
    await Promise.all([running, ...all]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('leaves half of the places to others', async () => {
    const queue = new WorkQueue({ concurrency: 1, waiting: 4 });
    const first = gate();
    const running = queue.run(() => first.opened, 'a');
    const work = (share: string) => queue.run(() => Promise.resolve(share), share);
    const waiting = [work('a'), work('a')];
    await expect(work('a')).rejects.toBeInstanceOf(QueueFull);
    const others = [work('b'), work('b')];
    await expect(work('c')).rejects.toBeInstanceOf(QueueFull);
    first.open();
    await running;
    expect(await Promise.all([...waiting, ...others])).toEqual(['a', 'a', 'b', 'b']);
  });

  it('frees the place of work that fails', async () => {
    const queue = new WorkQueue({ concurrency: 1, waiting: 1 });
    await expect(queue.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect(queue.running).toBe(0);
  });
});
