import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryWorkflow } from '../../../../contracts/resources/entry-workflow.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { singleOutcome } from '../publication/locale-targets.js';
import { showWorkflow } from './show-workflow.js';
import { transitionEntries } from './transition-entries.js';
import { workflowPlace } from './workflow-places.js';

/** Makes a transition, or counts an approval of it. */
export async function transitionEntry(
  work: UnitOfWork,
  { id, locale, version, to, comment, assigneeId, dueAt }: InputOf<typeof entries.transition>,
): Promise<{ data: EntryWorkflow }> {
  const catalog = await work.use(CatalogRepository).current();
  const due = typeof dueAt === 'string' ? new Date(dueAt) : dueAt;
  const step = { to, comment, assigneeId: assigneeId?.toLowerCase() ?? assigneeId, dueAt: due };
  const outcomes = await transitionEntries(work, { catalog, targets: [{ id, locale, version }] }, step);
  const { after } = singleOutcome(outcomes);
  return { data: await showWorkflow(work, workflowPlace(catalog, after, locale)) };
}
