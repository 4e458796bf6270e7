import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { FromMember, ToMember } from '../../src/infrastructure/fleet/messages.js';
import { ProcessFleet, type ForkedProcess } from '../../src/infrastructure/fleet/process-fleet.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

/** A process controlled by the test. */
class FakeProcess extends EventEmitter implements ForkedProcess {
  readonly heard: ToMember[] = [];
  readonly process = { pid: 1, kill: () => this.emit('exit', null, 'SIGKILL') };

  constructor(readonly place: number) {
    super();
  }

  send(message: ToMember): void {
    this.heard.push(message);
  }

  says(message: FromMember): void {
    this.emit('message', message);
  }

  ends(): void {
    this.emit('exit', 1, null);
  }

  get connections(): number[] {
    return this.heard.flatMap((message) => (message.type === 'connection' ? [message.id] : []));
  }
}

interface Scene {
  readonly fleet: ProcessFleet;
  readonly forked: FakeProcess[];
  readonly hopeless: string[];
}

function scene(size: number, healthyMs = 60_000): Scene {
  const forked: FakeProcess[] = [];
  const hopeless: string[] = [];
  const fleet = new ProcessFleet({
    size,
    fork: (place) => {
      const one = new FakeProcess(place);
      forked.push(one);
      return one;
    },
    logger: createLogger('silent'),
    onFatal: (reason) => hopeless.push(reason),
    backoff: { firstMs: 1, maxMs: 4, healthyMs, attempts: 3 },
  });
  return { fleet, forked, hopeless };
}

const at = (list: readonly FakeProcess[], index: number): FakeProcess => {
  const one = list.at(index);
  if (one === undefined) throw new Error('no such process');
  return one;
};

async function untilForked(list: readonly FakeProcess[], count: number): Promise<void> {
  await waitFor('a process is started', () => list.length >= count);
}

describe('A fleet of processes', () => {
  verifies('operation/processes');

  it('queues connections until a process is ready, then distributes them in turn', () => {
    const { fleet, forked } = scene(2);
    void fleet.start();
    fleet.take(new Socket());
    expect(forked.flatMap(({ heard }) => heard)).toEqual([]);
    at(forked, 0).says({ type: 'ready' });
    expect(at(forked, 0).connections).toHaveLength(1);
    at(forked, 1).says({ type: 'ready' });
    for (let count = 0; count < 4; count += 1) fleet.take(new Socket());
    expect(at(forked, 0).connections).toHaveLength(3);
    expect(at(forked, 1).connections).toHaveLength(2);
  });

  it('passes unconfirmed connections of a dead process to another', () => {
    const { fleet, forked } = scene(2);
    void fleet.start();
    for (const one of forked) one.says({ type: 'ready' });
    const [first, second] = [new Socket(), new Socket()];
    fleet.take(first);
    fleet.take(second);
    const victim = at(forked, 0);
    const taken = new Socket();
    fleet.take(taken);
    fleet.take(new Socket());
    const [arrived = 0] = victim.connections;
    victim.says({ type: 'received', id: arrived });
    victim.ends();
    expect(victim.connections).toHaveLength(2);
    expect(at(forked, 1).connections).toHaveLength(3);
  });

  it('replaces a dead process, and gives up after repeated failures at start', async () => {
    const { fleet, forked, hopeless } = scene(2);
    void fleet.start();
    for (const one of forked) one.says({ type: 'ready' });
    for (const count of [3, 4]) {
      const victim = forked.findLast(({ place }) => place === 2);
      victim?.ends();
      await untilForked(forked, count);
      expect(at(forked, -1).place).toBe(2);
      at(forked, -1).says({ type: 'ready' });
    }
    expect(hopeless).toEqual([]);
    at(forked, -1).ends();
    expect(hopeless).toEqual(['A process ended at once, 3 times in a row (code 1, signal null).']);
  });

  it('keeps replacing processes that had served for a while', async () => {
    const { fleet, forked, hopeless } = scene(1, 0);
    void fleet.start();
    for (let count = 1; count <= 6; count += 1) {
      await untilForked(forked, count);
      at(forked, -1).says({ type: 'ready' });
      at(forked, -1).ends();
    }
    expect(hopeless).toEqual([]);
  });

  it('reports at once why the first process cannot start', () => {
    const { fleet, forked, hopeless } = scene(1);
    void fleet.start();
    at(forked, 0).says({ type: 'failed', reason: 'It cannot.' });
    at(forked, 0).ends();
    expect(hopeless).toEqual(['It cannot.']);
  });

  it('drains and replaces a single process that received a signal', async () => {
    const { fleet, forked } = scene(1);
    void fleet.start();
    at(forked, 0).says({ type: 'ready' });
    at(forked, 0).says({ type: 'leaving' });
    await waitFor('the process is told to drain', () =>
      at(forked, 0).heard.some(({ type }) => type === 'drain'),
    );
    fleet.take(new Socket());
    expect(at(forked, 0).connections).toEqual([]);
    at(forked, 0).emit('exit', 0, null);
    await untilForked(forked, 2);
    at(forked, 1).says({ type: 'ready' });
    expect(at(forked, 1).connections).toHaveLength(1);
  });

  it('sends shared values to processes that start later', () => {
    const { fleet, forked } = scene(2);
    void fleet.start();
    at(forked, 0).says({ type: 'ready' });
    at(forked, 0).says({ type: 'share', value: 'keys' });
    at(forked, 1).says({ type: 'ready' });
    expect(at(forked, 1).heard).toContainEqual({ type: 'share', value: 'keys' });
  });

  it('drains until every process has ended, without replacing any', async () => {
    const { fleet, forked } = scene(2);
    void fleet.start();
    for (const one of forked) one.says({ type: 'ready' });
    const drained = fleet.drain();
    for (const one of forked) one.emit('exit', 0, null);
    await drained;
    expect(forked).toHaveLength(2);
  });
});
