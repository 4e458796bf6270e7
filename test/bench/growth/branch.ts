import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { seededId } from '../seed/bulk-entries.js';
import { prefixes } from './content.js';
import { readUntil } from './readers.js';
import type { Stage } from './stage.js';

interface Latency {
  readonly median: number;
  readonly p99: number;
}

interface Phase {
  readonly seconds: number;
  /** Of reads, over both surfaces, and of creations. */
  readonly readMs: Latency;
  readonly createMs: Latency;
  /** Growth of the process, which is service and load. */
  readonly memoryMb: number;
}

/** What readers and writers of an environment notice while another one is copied from it, promoted and deleted. */
export interface BranchReport {
  readonly entries: number;
  readonly quiet: Phase;
  readonly copied: Phase;
  /** Of the pages that were changed in the branch. */
  readonly promoted: Phase & { readonly pages: number };
  readonly deleted: Phase;
}

function latency(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return { median: at(0.5), p99: at(0.99) };
}

async function createUntil(stage: Stage, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    const fields = { name: 'Written during the copy' };
    await stage.call('POST', '{main}/entries', {
      contentTypeApiName: 'author',
      siteId: stage.place.siteId,
      fields,
    });
    times.push(performance.now() - startedAt);
    await delay(20);
  }
  return times;
}

/** Measures readers, and writers, while `work` runs. */
async function during(stage: Stage, work: () => Promise<unknown>, isWritten = true): Promise<Phase> {
  let isOver = false;
  const measured = Promise.all([
    readUntil(stage, () => isOver),
    isWritten ? createUntil(stage, () => isOver) : [],
  ]);
  const memory = process.memoryUsage().rss;
  let peak = memory;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 100);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    isOver = true;
    clearInterval(sampler);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const [reads, creations] = await measured;
  const memoryMb = (peak - memory) / 2 ** 20;
  return { seconds, readMs: latency(reads), createMs: latency(creations), memoryMb };
}

const SLUG = 'growth-branch';
const QUIET_MS = 10_000;

/** Branches the project off, promotes changed pages and deletes the branch, while its default environment is read and written. */
export async function branchOff(stage: Stage): Promise<BranchReport> {
  const { jobs } = stage.composition;
  await during(stage, () => delay(QUIET_MS / 2));
  const quiet = await during(stage, () => delay(QUIET_MS));
  const copied = await during(stage, () => addEnvironment(stage, SLUG));
  const pages = await changePages(stage);
  // The target of a promotion accepts no writes until it is over.
  const promoted = { pages, ...(await during(stage, () => promote(stage), false)) };
  const deleted = await during(stage, async () => {
    await stage.call('DELETE', `{main}/environments/${SLUG}`);
    await jobs.workOnEnvironments();
  });
  return { entries: stage.count, quiet, copied, promoted, deleted };
}

const BATCH = 100;
const CHANGED = 10_000;

/** Changes pages of the branch; returns their number. */
async function changePages(stage: Stage): Promise<number> {
  const count = Math.min(CHANGED, stage.count);
  for (let first = 1; first <= count; first += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => ({
      action: 'update',
      id: seededId(prefixes.page, first + index),
      fields: { title: `Changed ${String(first + index)}` },
    }));
    await stage.call('POST', '{main}/entries/batch', { items, atomic: true }, { 'x-environment': SLUG });
  }
  return count;
}

/** A large promotion is a job. */
async function promote(stage: Stage): Promise<void> {
  const latest = async (): Promise<string> => {
    const { data } = (await stage.call('GET', '{main}/environments/main/promotions')) as {
      data: readonly { status: string }[];
    };
    return data[0]?.status ?? 'absent';
  };
  await stage.call('POST', `{main}/environments/${SLUG}/promote`, { mode: 'full' });
  while (['queued', 'running'].includes(await latest())) await stage.composition.jobs.workOnEnvironments();
  if ((await latest()) !== 'succeeded') throw new Error(`The promotion is ${await latest()}.`);
}

/** Copies the default environment and waits for the job. */
async function addEnvironment(stage: Stage, slug: string): Promise<void> {
  const answer = await stage.call('POST', '{main}/environments', { slug, name: slug });
  let { status } = (answer as { data: { status: string } }).data;
  while (status === 'creating') {
    await stage.composition.jobs.workOnEnvironments();
    const { data } = (await stage.call('GET', `{main}/environments/${slug}`)) as { data: { status: string } };
    ({ status } = data);
  }
  if (status !== 'ready') throw new Error(`The environment ${slug} is ${status}.`);
}

/** Copies the default environment until the project has so many. */
export async function addEnvironments(stage: Stage, count: number): Promise<void> {
  for (let n = 2; n <= count; n += 1) await addEnvironment(stage, `branch-${String(n)}`);
}
