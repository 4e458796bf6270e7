import type { UnitOfWorkFactory, WorkScope, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { BranchRepository, CopyRepository } from './copy/copy.repository.js';
import { EnvironmentJobRepository } from './environment-job.repository.js';
import { contentTables, schemaTables } from './copy/environment-tables.js';
import { EnvironmentRepository } from './environment.repository.js';

/**
 * Runs a copy whose snapshot is taken while writers of the project are locked out, for as long as that takes. What is
 * written after the snapshot is journaled, and nothing else.
 */
export class Branching {
  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly scope: WorkScope,
    private readonly copiesContent: boolean,
  ) {}

  /** @param copy calls its parameter once, when it has its snapshot and if it is the one that copies */
  async run<T>(copy: (open: (baseId: string) => Promise<void>) => Promise<T>): Promise<T> {
    const asked = Promise.withResolvers<string | undefined>();
    const opened = Promise.withResolvers<undefined>();
    opened.promise.catch(() => undefined);
    let isAsked = false;
    const open = async (baseId: string): Promise<void> => {
      // A repeated transaction has a later snapshot, taken without the lock.
      if (isAsked) throw new Error('The copy must be started again');
      isAsked = true;
      asked.resolve(baseId);
      await opened.promise;
    };
    let copied: Promise<T> | undefined;
    const request = { scope: this.scope, isReadOnly: false, lock: 'schema' } as const;
    try {
      await this.units.run(request, async (work) => {
        copied ??= copy(open);
        copied.then(
          () => asked.resolve(undefined),
          () => asked.resolve(undefined),
        );
        const baseId = await asked.promise;
        if (baseId !== undefined) await work.use(BranchRepository).open(baseId, this.copiesContent);
      });
      opened.resolve(undefined);
    } catch (error) {
      opened.reject(error);
      await copied?.catch(() => undefined);
      throw error;
    }
    if (copied === undefined) throw new Error('The copy was not started');
    return copied;
  }
}

interface CopyOptions {
  readonly copiesContent: boolean;
  /** Journals the base from the moment of the copy on; once only. */
  open(baseId: string): Promise<void>;
  /** Told in another transaction, since nothing of this one is visible before its end. */
  onProgress(done: number, total: number): Promise<void>;
}

/**
 * Copies the base of the environment as it is at the first statement of the unit of work, which needs a snapshot.
 * Nothing is visible before the commit; after a crash the job starts again.
 * @returns false if another process has the job
 */
export async function copyEnvironment(work: UnitOfWork, options: CopyOptions): Promise<boolean> {
  if (!(await work.use(EnvironmentJobRepository).claim())) return false;
  const copies = work.use(CopyRepository);
  const source = await copies.begin();
  if (source === undefined) return true;
  await options.open(source.baseId);
  const tables = options.copiesContent ? [...schemaTables, ...contentTables] : schemaTables;
  const columns = await copies.columns(tables);
  for (const [index, table] of tables.entries()) {
    await options.onProgress(index, tables.length);
    await copies.copy(table, columns.get(table) ?? [], source.baseId);
  }
  await work.use(BranchRepository).copyBases(source.baseId, options.copiesContent);
  await copies.journal();
  const { environmentId, environmentSlug } = work.scope;
  await work.use(EnvironmentRepository).setStatus(environmentId ?? '', 'ready');
  work.emit({ type: 'environment.created', data: { environmentId, slug: environmentSlug } });
  return true;
}
