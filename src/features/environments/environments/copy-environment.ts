import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EnvironmentJobRepository } from './environment-job.repository.js';
import { contentTables, schemaTables } from './copy/environment-tables.js';
import { EnvironmentRepository } from './environment.repository.js';
import { BranchRepository, CopyRepository } from './copy/copy.repository.js';

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
