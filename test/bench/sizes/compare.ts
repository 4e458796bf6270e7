import { median } from '../growth/median.js';
import type { Stage } from './stage.js';
import type { Operation } from './operations.js';

/** Cost per request in one turn: medians or means. */
export interface Cost {
  readonly ms: number;
  readonly serverMs: number;
  readonly databaseMs: number;
}

const REQUESTS = 20;

async function takeTurn(operation: Operation, stage: Stage, turn: number): Promise<Cost> {
  const service = operation.isHit === true ? stage.cached : stage.uncached;
  const requests = operation.requests ?? REQUESTS;
  const turns = Array.from({ length: requests }, (_, n) =>
    operation.isHit === true ? n : turn * requests + n,
  );
  if (operation.isHit === true) for (const one of turns) await operation.run(service, stage, one);
  const clock = stage.processorTime(service);
  await clock.start();
  const times: number[] = [];
  for (const one of turns) {
    const startedAt = performance.now();
    await operation.run(service, stage, one);
    times.push(performance.now() - startedAt);
  }
  const { serverMs, databaseMs } = await clock.stop();
  const per = operation.per?.(stage) ?? 1;
  const each = per * requests;
  return { ms: median(times) / per, serverMs: serverMs / each, databaseMs: databaseMs / each };
}

const medianCost = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  serverMs: median(costs.map(({ serverMs }) => serverMs)),
  databaseMs: median(costs.map(({ databaseMs }) => databaseMs)),
});

/**
 * Median costs of one operation per stage after warm-up rounds. Stages take turns, so that other load affects
 * all alike.
 */
export async function compare(
  operation: Operation,
  stages: readonly Stage[],
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
): Promise<Cost[]> {
  const costs = stages.map((): Cost[] => []);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const turns = [...stages.entries()];
    for (const [index, stage] of round % 2 === 0 ? turns : turns.toReversed()) {
      const cost = await takeTurn(operation, stage, round);
      if (round >= warmUp) costs[index]?.push(cost);
    }
  }
  return costs.map(medianCost);
}
