import { seededId } from '../seed/bulk-entries.js';
import { BRANCH, prefixes } from './content.js';
import { median } from './median.js';
import { readUntil } from './readers.js';
import type { Stage } from './stage.js';

/** Duration of a branch move and its effect on readers. */
export interface MoveReport {
  readonly descendants: number;
  readonly redirects: number;
  readonly seconds: number;
  readonly reads: number;
  readonly medianReadMs: { readonly before: number; readonly during: number };
  readonly slowestReadMs: { readonly before: number; readonly during: number };
}

const summary = (before: readonly number[], during: readonly number[]) => ({
  reads: during.length * 2,
  medianReadMs: { before: median(before), during: median(during) },
  slowestReadMs: { before: Math.max(...before), during: Math.max(...during) },
});

/** Moves the first branch below the second root while its pages are read. */
export async function moveBranch(stage: Stage): Promise<MoveReport> {
  const calm = performance.now() + 2000;
  const before = await readUntil(stage, () => performance.now() > calm);
  let isOver = false;
  const reading = readUntil(stage, () => isOver);
  const startedAt = performance.now();
  const body = { parentId: seededId(prefixes.node, BRANCH + 1) };
  const answer = (await stage.call('POST', `{main}/tree/nodes/${seededId(prefixes.node, 1)}/move`, body)) as {
    meta: { affected: number; redirectsCreated: number };
  };
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  const during = await reading;
  const { affected, redirectsCreated } = answer.meta;
  return { descendants: affected - 1, redirects: redirectsCreated, seconds, ...summary(before, during) };
}
