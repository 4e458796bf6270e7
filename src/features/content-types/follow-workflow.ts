import { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { settleStates } from '../workflows/index.js';
import { assertWorkflow } from './content-type.policy.js';
import type { WholeContentType } from './content-type.repository.js';

/**
 * Keeps entries of a type in existing states if another workflow applies to it.
 * @throws AppError 404 `workflow_not_found`, 409 `workflow_state_in_use`
 */
export async function followWorkflow(
  work: UnitOfWork,
  before: WholeContentType,
  { type: { id, workflowSlug } }: WholeContentType,
): Promise<void> {
  if (workflowSlug === before.type.workflowSlug) return;
  const { data } = await work.use(CatalogRepository).current();
  /** The catalog may have been read after the type was saved. */
  const withWorkflow = (slug: string | null) =>
    data.contentTypes.map((known) => (known.id === id ? { ...known, workflowSlug: slug } : known));
  const catalog = new Catalog({ ...data, contentTypes: withWorkflow(before.type.workflowSlug) });
  assertWorkflow(catalog, workflowSlug);
  await settleStates(work, catalog, { contentTypes: withWorkflow(workflowSlug) });
}
