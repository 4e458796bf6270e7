/** Milliseconds of one core, unless it says otherwise. */
export interface Costs {
  readonly hit: number;
  readonly missInProcess: number;
  readonly missInDatabase: number;
  readonly writeInProcess: number;
  readonly writeInDatabase: number;
  /** A write in each other process, which drops what it has cached. */
  readonly noticeInProcess: number;
  /** A write for each connection that listens. */
  readonly noticeInDatabase: number;
  /** A write in the worker: deliveries, purges, sealing and indexes. */
  readonly writeInWorker: number;
  /** Time in which a commit with a notification keeps others waiting. */
  readonly commit: number;
  /** Events that one worker takes from the outbox in a second. */
  readonly outboxPerSecond: number;
  readonly responseBytes: number;
}

export interface Topology {
  /** With one core each. */
  readonly processes: number;
  readonly databaseCores: number;
  readonly workers: number;
  /** Of the network of all processes, in bits per second. */
  readonly networkBits: number;
}

export interface Mix {
  /** From 0 to 1. */
  readonly hitRate: number;
  readonly writesPerSecond: number;
  /** Requests by which each purge is sent: one for each cache that is named. */
  readonly purgedCaches: number;
}

export const resources = ['processes', 'primary', 'notify', 'worker', 'outbox', 'network'] as const;
export type Resource = (typeof resources)[number];

export interface Demand {
  /** Part of the resource that writes need, whatever is read. */
  readonly fixed: number;
  /** Part of the resource that one read a second needs. */
  readonly perRead: number;
}

/** Writes whose notes one purge sends. */
const WRITES_PER_PURGE = 500;
/** A small request to a cache, in the worker. */
const PURGE_MS = 1;

/** What each resource has to do: utilization is `fixed + perRead × reads a second`. */
export function demands(costs: Costs, topology: Topology, mix: Mix): Readonly<Record<Resource, Demand>> {
  const { processes, databaseCores, workers, networkBits } = topology;
  const { hitRate, writesPerSecond: writes, purgedCaches } = mix;
  const missRate = 1 - hitRate;
  const readInProcess = hitRate * costs.hit + missRate * costs.missInProcess;
  const purgesPerSecond = (Math.min(1, writes) + writes / WRITES_PER_PURGE) * purgedCaches;
  return {
    processes: {
      fixed: (writes * (costs.writeInProcess / processes + costs.noticeInProcess)) / 1000,
      perRead: readInProcess / processes / 1000,
    },
    primary: {
      fixed:
        (writes * (costs.writeInDatabase + (processes + workers) * costs.noticeInDatabase)) /
        databaseCores /
        1000,
      perRead: (missRate * costs.missInDatabase) / databaseCores / 1000,
    },
    notify: { fixed: (writes * costs.commit) / 1000, perRead: 0 },
    worker: {
      fixed: (writes * costs.writeInWorker + purgesPerSecond * PURGE_MS) / workers / 1000,
      perRead: 0,
    },
    outbox: { fixed: writes / (costs.outboxPerSecond * workers), perRead: 0 },
    network: { fixed: 0, perRead: (costs.responseBytes * 8) / networkBits },
  };
}

export interface Capacity {
  readonly readsPerSecond: number;
  /** What saturates first. */
  readonly first: Resource;
}

/** Reads a second at which the first resource reaches the utilization; 0 if writes alone exceed it. */
export function capacity(
  model: { readonly costs: Costs; readonly topology: Topology; readonly mix: Mix },
  utilization = 0.7,
): Capacity {
  const found = demands(model.costs, model.topology, model.mix);
  let best: Capacity = { readsPerSecond: Infinity, first: 'processes' };
  for (const first of resources) {
    const { fixed, perRead } = found[first];
    const left = utilization - fixed;
    const readsPerSecond = left <= 0 ? 0 : perRead === 0 ? Infinity : left / perRead;
    if (readsPerSecond < best.readsPerSecond) best = { readsPerSecond, first };
  }
  return best;
}

/** Writes a second at which the first resource reaches the utilization, without reads. */
export function writeCapacity(
  { costs, topology, mix }: { readonly costs: Costs; readonly topology: Topology; readonly mix: Mix },
  utilization = 0.7,
): { readonly writesPerSecond: number; readonly first: Resource } {
  const at = (writesPerSecond: number) => demands(costs, topology, { ...mix, writesPerSecond });
  const most = (writesPerSecond: number): number =>
    Math.max(...resources.map((name) => at(writesPerSecond)[name].fixed));
  let [low, high] = [0, 1];
  while (most(high) < utilization) high *= 2;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (most(middle) < utilization) low = middle;
    else high = middle;
  }
  const reached = at(high);
  const first = resources.reduce((one, other) => (reached[other].fixed > reached[one].fixed ? other : one));
  return { writesPerSecond: low, first };
}
