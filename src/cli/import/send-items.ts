import { AppError, type InputIssue } from '../../../contracts/errors.js';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import { isAppError, type Operations, type OperationInput } from '../client/rest-operations.js';

export type BatchItemInput = OperationInput<'entries', 'batch'>['items'][number];

export interface Sent<J> {
  readonly job: J;
  /** Of its item, or why it has not been applied. */
  readonly outcome: BatchOutcome | Error;
}

export const isFailed = (outcome: BatchOutcome | Error): outcome is Error => outcome instanceof Error;

const failureOf = ({ error, message, details }: BatchOutcome): AppError =>
  new AppError((error ?? 'internal_error') as AppError['code'], details, message);

/** Sends one item for each job in one call. A call that fails as a whole fails every item. */
export async function sendItems<J extends { readonly item: BatchItemInput }>(
  { client, projectSlug }: { readonly client: Operations; readonly projectSlug: string },
  jobs: readonly J[],
): Promise<Sent<J>[]> {
  if (jobs.length === 0) return [];
  try {
    const items = jobs.map(({ item }) => item);
    const { data } = await client.call('entries', 'batch', { projectSlug, items });
    return jobs.map((job, index) => {
      const outcome = data.results[index];
      if (outcome === undefined) throw new Error('An outcome is missing');
      return { job, outcome: outcome.ok ? outcome : failureOf(outcome) };
    });
  } catch (error) {
    return jobs.map((job) => ({ job, outcome: error as Error }));
  }
}

/** Sends jobs, and again what is left of those that fail. A call that is too large is halved. */
export async function sendReduced<J extends { readonly item: BatchItemInput }>(
  target: { readonly client: Operations; readonly projectSlug: string },
  jobs: readonly J[],
  on: {
    done(job: J, outcome: BatchOutcome): void;
    reduce(job: J, error: Error, round: number): readonly J[];
  },
): Promise<void> {
  let open = jobs;
  for (let round = 0; open.length > 0; round += 1) {
    const sent = await sendItems(target, open);
    const isTooLarge = isAppError(sent[0]?.outcome, 'payload_too_large');
    if (isTooLarge && open.length > 1) {
      const half = Math.ceil(open.length / 2);
      await sendReduced(target, open.slice(0, half), on);
      await sendReduced(target, open.slice(half), on);
      return;
    }
    open = sent.flatMap(({ job, outcome }) => {
      if (isFailed(outcome)) return on.reduce(job, outcome, round);
      on.done(job, outcome);
      return [];
    });
  }
}

/** The service works on one batch while the database stores another. */
const BATCHES_AT_ONCE = 3;

/**
 * Runs what needs no batch before it beside others. After a failure, those that run come to their end.
 * @param afterOf the index of the last batch that one needs; by default none needs another
 */
export async function inFlight<T>(
  batches: Iterable<T> | AsyncIterable<T>,
  work: (batch: T) => Promise<void>,
  afterOf: (batch: T) => number = () => -1,
): Promise<void> {
  const running = new Map<number, Promise<void>>();
  const failures: unknown[] = [];
  let next = 0;
  try {
    for await (const batch of batches) {
      const [index, after] = [next++, afterOf(batch)];
      await Promise.all([...running].flatMap(([one, end]) => (one <= after ? [end] : [])));
      while (running.size >= BATCHES_AT_ONCE) await Promise.race(running.values());
      if (failures.length > 0) break;
      const end = work(batch)
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(index));
      running.set(index, end);
    }
  } finally {
    await Promise.all(running.values());
  }
  if (failures.length > 0) throw failures[0] as Error;
}

const MAXIMUM_REASON_LENGTH = 300;

export function reasonOf(error: unknown): string {
  const reason = explain(error);
  return reason.length > MAXIMUM_REASON_LENGTH ? `${reason.slice(0, MAXIMUM_REASON_LENGTH)} …` : reason;
}

function explain(error: unknown): string {
  if (isAppError(error, 'version_conflict'))
    return 'another client changed the page during the import. Run the import again';
  if (!(error instanceof AppError)) return firstLine(error);
  const { code, message, details, cause } = error;
  if (cause !== undefined) return `${code}: ${firstLine(cause)}`;
  const { issues = [] } = (details ?? {}) as { issues?: readonly InputIssue[] };
  const wrong = issues
    .map(({ path, message: what }) => (path.length > 0 ? `${what} (${path.join('.')})` : what))
    .join(' ');
  return `${code}: ${wrong === '' ? message : wrong}`;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
