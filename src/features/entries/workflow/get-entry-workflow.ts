import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryWorkflow } from '../../../../contracts/resources/entry-workflow.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';
import { showWorkflow, withoutWorkflow } from './show-workflow.js';
import { findWorkflowPlace } from './workflow-places.js';

export async function getEntryWorkflow(
  work: UnitOfWork,
  { id, locale }: InputOf<typeof entries.getWorkflow>,
): Promise<{ data: EntryWorkflow }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(id, noValues);
  const place = findWorkflowPlace(catalog, entry, locale);
  return { data: place === undefined ? withoutWorkflow(entry) : await showWorkflow(work, place) };
}
