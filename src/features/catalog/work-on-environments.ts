import {
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../persistence/work/unit-of-work.js';
import { EnvironmentListRepository } from './environment-list.repository.js';

interface WaitingWork {
  /** Environments with waiting work, in the order in which they are worked on. */
  readonly ids: readonly string[];
  /** Returns how much was done. */
  batch(head: AddressRow): Promise<number>;
  /** Deletes the waiting work of a deleted environment. */
  forget(work: UnitOfWork, environmentId: string): Promise<void>;
  /** Receives the failure of one environment. Absent: it ends the work. */
  onError?(environmentId: string, error: unknown): void;
}

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

/** Does one batch of each environment with waiting work; returns how much was done. */
export async function workOnEnvironments(
  units: UnitOfWorkFactory,
  { ids, batch, forget, onError }: WaitingWork,
): Promise<number> {
  if (ids.length === 0) return 0;
  const heads = await units.run({ ...platform, isReadOnly: true }, (work) =>
    work.use(EnvironmentListRepository).all(),
  );
  let total = 0;
  for (const id of ids) {
    const head = heads.find(({ environmentId }) => environmentId === id);
    try {
      if (head === undefined) await units.run(platform, (work) => forget(work, id));
      else total += await batch(head);
    } catch (error) {
      if (onError === undefined) throw error;
      onError(id, error);
    }
  }
  return total;
}
