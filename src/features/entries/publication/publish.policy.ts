import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import { stateIn, stateOf } from '../../../content/workflow/workflow-definition.js';
import type { StoredEntry } from '../stored-entry.js';
import type { ApprovalOverride } from './approval-override.js';

/**
 * Whether a strict workflow lets the locale be published (decisions 2.10).
 * @throws AppError 409 `workflow_not_approved`
 */
export function assertApproved(
  catalog: Catalog,
  entry: StoredEntry,
  { locale, override }: { readonly locale: string; readonly override?: ApprovalOverride | undefined },
): void {
  const workflow = catalog.workflowOf(entry);
  if (workflow?.enforcement !== 'strict') return;
  const state = stateIn(workflow, entry.locales, locale);
  if (stateOf(workflow, state)?.allowsPublish === true) return;
  if (override?.allows(entry, { locale, workflow: workflow.slug, state }) === true) return;
  const allowed = workflow.states.filter(({ allowsPublish }) => allowsPublish).map(({ key }) => key);
  throw new AppError('workflow_not_approved', { workflow: workflow.slug, state, allowed });
}
