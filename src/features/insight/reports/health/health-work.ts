import {
  addressOf,
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../../persistence/work/unit-of-work.js';
import {
  CatalogRepository,
  emptyBatch,
  workOnEnvironments,
  type Batch,
} from '../../../environments/catalog/index.js';
import { HealthIssueRepository, type IssueDifference } from './health-issue.repository.js';
import { healthModelOf } from './health-model.js';
import { HealthNoteRepository } from './health-note.repository.js';

/** Notes of one transaction. */
const BATCH = 500;
/** Entries per statement. Notes can concern many more, and the cost of a statement grows faster than their number. */
const ENTRIES = 250;

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

interface HealthWorkParts {
  readonly units: UnitOfWorkFactory;
  /** Receives why the issues of an environment cannot be found; they are looked for again. */
  onError(error: unknown): void;
}

/** Finds the issues of what writers noted. Any number of processes may run it: one at a time works on an environment. */
export class HealthWork {
  #isStopping = false;

  constructor(private readonly parts: HealthWorkParts) {}

  /** Ends after the running batch. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Considers notes, except in environments where another process does; returns how many. */
  run(): Promise<number> {
    const { units, onError } = this.parts;
    const failed = new Set<string>();
    return workOnEnvironments(units, {
      environments: async () => {
        const ids = await units.run(platform, (work) => work.use(HealthNoteRepository).environments());
        return ids.filter((id) => !failed.has(id));
      },
      batch: (head) => this.#batch(head),
      forget: (work, id) => work.use(HealthNoteRepository).forget(id),
      onError: (id, error) => {
        failed.add(id);
        onError(error);
      },
      isStopping: () => this.#isStopping,
    });
  }

  #batch(head: AddressRow): Promise<Batch> {
    const scope = systemScope({ address: addressOf(head) });
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'none', plans: 'any' }, considerNotes);
  }
}

/** Considers no note while another worker does. */
async function considerNotes(work: UnitOfWork): Promise<Batch> {
  const notes = work.use(HealthNoteRepository);
  if (!(await notes.take())) return emptyBatch;
  const claimed = await notes.oldest(BATCH);
  const whole = claimed.filter(({ isWhole }) => isWhole).map(({ id }) => id);
  if (whole.length > 0) {
    await notes.spread(whole);
    return { done: whole.length, isMore: true };
  }
  const ids = claimed.map(({ id }) => id);
  const entryIds = await notes.entries(ids);
  if (entryIds.length > 0) {
    const catalog = await work.use(CatalogRepository).current();
    const model = healthModelOf(catalog);
    for (let start = 0; start < entryIds.length; start += ENTRIES)
      await work.use(HealthIssueRepository).find(model, entryIds.slice(start, start + ENTRIES));
  }
  await notes.finish(ids);
  return { done: ids.length, isMore: ids.length === BATCH };
}

/** Finds all issues of an environment again, while its writers are locked out. */
export async function rebuildHealth(work: UnitOfWork): Promise<void> {
  const notes = work.use(HealthNoteRepository);
  await notes.hold();
  // First: what is noted from here on may not be seen.
  await notes.finishAll();
  const catalog = await work.use(CatalogRepository).current();
  await work.use(HealthIssueRepository).findAll(healthModelOf(catalog));
}

/** Compares stored issues with the content, but for entries that wait. */
export async function checkHealth(work: UnitOfWork, limit: number): Promise<IssueDifference[]> {
  const { entryIds } = await work.use(HealthNoteRepository).waiting(null);
  const catalog = await work.use(CatalogRepository).current();
  return work.use(HealthIssueRepository).differences(healthModelOf(catalog), entryIds, limit);
}
