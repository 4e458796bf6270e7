import {
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { EnvironmentListRepository } from './catalog.repository.js';

/** What a batch did. */
export interface Batch {
  readonly done: number;
  /** Whether the batch was full, so that more waits. */
  readonly isMore: boolean;
}

export const emptyBatch: Batch = { done: 0, isMore: false };

/** Whether more may wait than was claimed: a batch has at most so many subjects, and so many notes about them. */
export const isFull = (
  claimed: readonly { readonly ids: readonly string[] }[],
  most: { readonly subjects: number; readonly notes: number },
): boolean =>
  claimed.length === most.subjects ||
  claimed.reduce((notes, { ids }) => notes + ids.length, 0) === most.notes;

interface WaitingWork {
  /** Environments with waiting work, in the order in which they are worked on. */
  environments(): Promise<readonly string[]>;
  batch(head: AddressRow): Promise<Batch>;
  /** Deletes the waiting work of a deleted environment. */
  forget(work: UnitOfWork, environmentId: string): Promise<void>;
  /** Receives the failure of one environment. Absent: it ends the work. */
  onError?(environmentId: string, error: unknown): void;
  isStopping(): boolean;
}

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

/**
 * Repeats rounds of batches while one of them is full; returns how much was done. Later writes wait for the next run:
 * a batch of one write costs nearly as much as a batch of a second's writes.
 */
export async function repeatWhileFull(
  round: () => Promise<Batch>,
  isStopping: () => boolean,
): Promise<number> {
  let total = 0;
  for (let isMore = true; isMore && !isStopping();) {
    const batch = await round();
    total += batch.done;
    isMore = batch.isMore;
  }
  return total;
}

/** One batch of each environment with waiting work. */
async function roundOf(
  units: UnitOfWorkFactory,
  { environments, batch, forget, onError }: WaitingWork,
): Promise<Batch> {
  const ids = await environments();
  if (ids.length === 0) return emptyBatch;
  const heads = await units.run({ ...platform, isReadOnly: true }, (work) =>
    work.use(EnvironmentListRepository).all(),
  );
  const total = { done: 0, isMore: false };
  for (const id of ids) {
    const head = heads.find(({ environmentId }) => environmentId === id);
    try {
      if (head === undefined) await units.run(platform, (work) => forget(work, id));
      else {
        const { done, isMore } = await batch(head);
        total.done += done;
        total.isMore ||= isMore;
      }
    } catch (error) {
      if (onError === undefined) throw error;
      onError(id, error);
    }
  }
  return total;
}

/** Does what waits in each environment; returns how much was done. */
export const workOnEnvironments = (units: UnitOfWorkFactory, waiting: WaitingWork): Promise<number> =>
  repeatWhileFull(() => roundOf(units, waiting), waiting.isStopping);
