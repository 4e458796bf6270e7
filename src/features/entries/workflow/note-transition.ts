import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentState } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import type { Applied } from '../publication/locale-targets.js';
import { assignedEvent, approvalEvent, workflowEvent } from './workflow.events.js';

export interface Transitioned extends Applied {
  readonly from: string;
  readonly to: string;
  /** Whether approvals are missing, so that the state did not change. */
  readonly isPending: boolean;
}

/** Records and events of one entry that entered a state or was approved. */
export function noteTransition(
  work: UnitOfWork,
  catalog: Catalog,
  outcome: Transitioned & { readonly comment: string | null; readonly isAlong: boolean },
): void {
  const { before, after, locale, from, to, isPending, comment, isAlong } = outcome;
  const data = presentState(after, locale, catalog);
  const was = presentState(before, locale, catalog);
  const note = { ...(comment !== null && { comment }) };
  const [action, event] = isPending ? ['entry.approve', approvalEvent] : ['entry.transition', workflowEvent];
  work.use(EntryRepository).note({
    action,
    entry: after,
    locale,
    isAlong,
    before: { workflow: was.workflow, assigneeId: was.assigneeId },
    after: {
      workflow: data.workflow,
      assigneeId: data.assigneeId,
      ...(isPending && { approved: to }),
      ...note,
    },
  });
  work.emit(event(data, { from, to, comment }));
  if (was.assigneeId !== data.assigneeId) work.emit(assignedEvent(data));
}
