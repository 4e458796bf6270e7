import { describe, expect, it } from '@jest/globals';
import { capacity, demands, resources, writeCapacity, type Costs } from '../bench/capacity/model.js';
import { Clock, Cores, seededRandom, simulateClosed, Station } from '../bench/capacity/simulation.js';

const costs: Costs = {
  hit: 0.04,
  missInProcess: 0.2,
  missInDatabase: 0.1,
  writeInProcess: 3,
  writeInDatabase: 3,
  noticeInProcess: 0.1,
  noticeInDatabase: 0.02,
  writeInWorker: 0.5,
  commit: 1,
  outboxPerSecond: 700,
  responseBytes: 3000,
};
const topology = { processes: 10, databaseCores: 8, workers: 1, networkBits: 1e10 };
const mix = { hitRate: 0.9, writesPerSecond: 5, purgedCaches: 2 };
const model = { costs, topology, mix };

/** Random arrivals at one thread: an M/M/1 queue. */
function simulateOpen(utilization: number) {
  const [clock, random] = [new Clock(), seededRandom(11)];
  const cores = new Cores(clock, 1);
  const station = new Station(clock, cores, 1);
  const sample = (mean: number): number => -mean * Math.log(1 - random());
  let waited = 0;
  const arrive = (): void => {
    const since = clock.now;
    station.serve(sample(1), () => {
      waited += clock.now - since;
    });
    clock.after(sample(1 / utilization), arrive);
  };
  arrive();
  clock.runUntil(200_000);
  const { completed, meanInside } = station;
  return { completed, meanInside, meanMs: waited / completed, used: cores.used / clock.now };
}

describe('The simulation of capacity', () => {
  it.each([0.3, 0.7, 0.9])('has the utilization and the queue of M/M/1 at %d', (utilization) => {
    const { used, meanInside, meanMs, completed } = simulateOpen(utilization);
    expect(used).toBeCloseTo(utilization, 1);
    const expected = utilization / (1 - utilization);
    expect(Math.abs(meanInside / expected - 1)).toBeLessThan(0.1);
    // Little's law: what is inside is the rate of arrivals times the time inside.
    expect(Math.abs(meanInside / ((completed / 200_000) * meanMs) - 1)).toBeLessThan(0.01);
  });

  it('shares cores equally: two threads on one core take twice as long', () => {
    const clock = new Clock();
    const cores = new Cores(clock, 1);
    const ended: [string, number][] = [];
    const note = (name: string) => () => ended.push([name, clock.now]);
    cores.run(10, note('first'));
    cores.run(10, note('second'));
    clock.after(5, () => {
      cores.run(1, note('late'));
    });
    clock.runUntil(100);
    expect(ended.map(([name, at]) => [name, Math.round(at * 1000) / 1000])).toEqual([
      ['late', 8],
      ['first', 21],
      ['second', 21],
    ]);
    expect(cores.used).toBeCloseTo(21, 6);
  });

  it('loses no request: clients wait for as long as their number and the throughput say', () => {
    const load = {
      cost: { process: 0.2, helpers: 0, database: 0.1, generator: 0.02 },
      processes: 2,
      cores: 2,
      connections: 40,
      poolSize: 5,
      milliseconds: 4000,
      seed: 3,
    };
    const { requestsPerSecond, meanMs, utilization } = simulateClosed(load);
    expect(Math.abs((requestsPerSecond / 1000) * meanMs - load.connections)).toBeLessThan(1);
    // Each request takes 0.32 ms of the two cores.
    expect(Math.abs(requestsPerSecond / ((2000 / 0.32) * utilization) - 1)).toBeLessThan(0.02);
    expect(simulateClosed(load)).toEqual(simulateClosed(load));
  });

  it('is bound by the thread of one process, and by the cores with more', () => {
    const rate = (processes: number, cores: number): number =>
      simulateClosed({
        cost: { process: 1, helpers: 0, database: 0, generator: 0 },
        processes,
        cores,
        connections: 32,
        poolSize: 1,
        milliseconds: 10_000,
        seed: 5,
      }).requestsPerSecond;
    for (const [processes, cores, expected] of [
      [1, 4, 1000],
      [4, 4, 4000],
      [4, 2, 2000],
    ] as const)
      expect(Math.abs(rate(processes, cores) / expected - 1)).toBeLessThan(0.05);
  });
});

describe('The model of capacity', () => {
  it('reaches the utilization in the first resource, and exceeds it in none', () => {
    const { readsPerSecond, first } = capacity(model);
    const found = demands(costs, topology, mix);
    const used = resources.map((name) => found[name].fixed + found[name].perRead * readsPerSecond);
    expect(found[first].fixed + found[first].perRead * readsPerSecond).toBeCloseTo(0.7, 9);
    expect(Math.max(...used)).toBeCloseTo(0.7, 9);
  });

  it('serves no less with more processes, cores or hits, and no more with more writes', () => {
    const reads = (change: object, place: object = {}): number =>
      capacity({ costs, topology: { ...topology, ...place }, mix: { ...mix, ...change } }).readsPerSecond;
    for (const [less, more] of [
      [reads({}, { processes: 1 }), reads({}, { processes: 2 })],
      [reads({}, { databaseCores: 1 }), reads({}, { databaseCores: 2 })],
      [reads({ hitRate: 0.5 }), reads({ hitRate: 0.99 })],
      [reads({ writesPerSecond: 100 }), reads({ writesPerSecond: 10 })],
    ] as const)
      expect(more).toBeGreaterThan(less);
  });

  it('names what writes fill first', () => {
    const first = (change: Partial<Costs>, place = {}) =>
      writeCapacity({ costs: { ...costs, ...change }, topology: { ...topology, ...place }, mix }).first;
    expect(first({}, { processes: 1 })).toBe('processes');
    expect(first({ outboxPerSecond: 100 })).toBe('outbox');
    expect(first({ commit: 20 })).toBe('notify');
    expect(first({ writeInDatabase: 30 })).toBe('primary');
    expect(first({ writeInWorker: 10 })).toBe('worker');
    const { writesPerSecond } = writeCapacity({ costs: { ...costs, commit: 20 }, topology, mix });
    expect(writesPerSecond).toBeCloseTo(35, 3);
  });
});
