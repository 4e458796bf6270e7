import type { OutboxEvent } from '../../../persistence/work/unit-of-work.js';
import type { EntryState } from '../entry.presenter.js';

const subject = ({ id, contentTypeApiName, siteId, locale, slug, version, status }: EntryState) => ({
  entryId: id,
  contentTypeApiName,
  siteId,
  locale,
  slug,
  version,
  status,
});

interface Step {
  readonly from: string;
  readonly to: string;
  readonly comment: string | null;
}

export const workflowEvent = (entry: EntryState, step: Step): OutboxEvent => ({
  type: 'entry.workflow_changed',
  data: { ...subject(entry), workflow: entry.workflow?.slug ?? null, ...step, assigneeId: entry.assigneeId },
});

export const approvalEvent = (entry: EntryState, step: Step): OutboxEvent => ({
  type: 'entry.approved',
  data: { ...subject(entry), workflow: entry.workflow?.slug ?? null, ...step },
});

export const assignedEvent = (entry: EntryState): OutboxEvent => ({
  type: 'entry.assigned',
  data: { ...subject(entry), assigneeId: entry.assigneeId },
});
