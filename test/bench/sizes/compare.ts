import { median } from '../growth/median.js';
import type { Stage } from './stage.js';
import type { Work } from './works.js';

/** What one request took in one turn: medians of its requests, or means. */
export interface Cost {
  readonly ms: number;
  readonly serverMs: number;
  readonly databaseMs: number;
}

const REQUESTS = 20;

async function takeTurn(work: Work, stage: Stage, turn: number): Promise<Cost> {
  const service = work.isHit === true ? stage.cached : stage.uncached;
  const requests = work.requests ?? REQUESTS;
  const turns = Array.from({ length: requests }, (_, n) => (work.isHit === true ? n : turn * requests + n));
  if (work.isHit === true) for (const one of turns) await work.run(service, stage, one);
  const clock = stage.processorTime(service);
  await clock.start();
  const times: number[] = [];
  for (const one of turns) {
    const begun = performance.now();
    await work.run(service, stage, one);
    times.push(performance.now() - begun);
  }
  const { serverMs, databaseMs } = await clock.stop();
  const per = work.per?.(stage) ?? 1;
  const each = per * requests;
  return { ms: median(times) / per, serverMs: serverMs / each, databaseMs: databaseMs / each };
}

const middle = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  serverMs: median(costs.map(({ serverMs }) => serverMs)),
  databaseMs: median(costs.map(({ databaseMs }) => databaseMs)),
});

/**
 * Medians of one work on each stage over so many rounds, after some that are not counted: plans, caches and compiled
 * code come about in them. Stages take turns, so that what else the machine does meanwhile hits them alike.
 */
export async function compare(
  work: Work,
  stages: readonly Stage[],
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
): Promise<Cost[]> {
  const costs = stages.map((): Cost[] => []);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const turns = [...stages.entries()];
    for (const [index, stage] of round % 2 === 0 ? turns : turns.toReversed()) {
      const cost = await takeTurn(work, stage, round);
      if (round >= warmUp) costs[index]?.push(cost);
    }
  }
  return costs.map(middle);
}
