import type { Progress } from '../progress.js';
import { prepareLines, type ImportPhase } from './build-tree.js';
import { KeyedPool } from './keyed-pool.js';
import { groupPages } from './page-batches.js';
import type { PageChange } from './page-writer.js';
import { isFailed, sendItems, type BatchItemInput, type Sent } from './send-items.js';
import type { ListedLine } from './survey.js';

interface Job extends PageChange {
  readonly number: number;
  readonly item: BatchItemInput;
}

const isPublication = ({ item }: Job): boolean =>
  item.action === 'publish' || (item.action === 'update' && item.publish === true);

function noteSent({ run, writer }: ImportPhase, { job, outcome }: Sent<Job>): void {
  if (isFailed(outcome)) {
    run.fail(job.number, outcome);
    if (job.item.action === 'publish') run.note(job);
    return;
  }
  writer.changed(job, outcome);
  run.note(job);
  if (isPublication(job)) run.versions.published += 1;
}

/** An item that cannot be published changes nothing. Its draft is kept, and the failure of the publication reported. */
async function keepDrafts(phase: ImportPhase, failed: readonly Sent<Job>[]): Promise<void> {
  const drafts = failed.flatMap(({ job, outcome: failure }) =>
    job.item.action === 'update' ? [{ ...job, item: { ...job.item, publish: false }, failure }] : [],
  );
  for (const { job, outcome } of await sendItems(phase, drafts)) {
    noteSent(phase, { job, outcome });
    if (!isFailed(outcome)) phase.run.fail(job.number, job.failure);
  }
}

async function writeBatch(phase: ImportPhase, lines: readonly ListedLine[]): Promise<void> {
  const { run, writer, assertLocale } = phase;
  const changes = prepareLines(phase, lines, (line) => {
    assertLocale(line);
    return writer.change(line);
  });
  const jobs: Job[] = [];
  for (const { item, ...change } of changes)
    if (item === undefined) run.note(change);
    else jobs.push({ ...change, item });
  const sent = await sendItems(phase, jobs);
  const isDraftLost = ({ job, outcome }: Sent<Job>): boolean =>
    isFailed(outcome) && job.item.action === 'update' && isPublication(job);
  for (const one of sent.filter((some) => !isDraftLost(some))) noteSent(phase, one);
  await keepDrafts(phase, sent.filter(isDraftLost));
}

/**
 * Writes and publishes every line. Parents are published before their children, so that no page appears under a path that
 * its parent's slug is about to change.
 */
export async function writeLines(
  phase: ImportPhase,
  { concurrency, progress }: { readonly concurrency: number; readonly progress: Progress },
): Promise<void> {
  const { run, levels, batchSize } = phase;
  for (const groups of groupPages(run.survey, levels, batchSize)) {
    const pool = new KeyedPool(concurrency);
    for (const [index, { batches }] of groups.entries())
      for (const batch of batches)
        await pool.add(String(index), async () => {
          const lines = batch.filter(({ number }) => !run.problems.has(number));
          await writeBatch(phase, lines);
          progress.advance(lines.length);
        });
    await pool.drain();
  }
}
