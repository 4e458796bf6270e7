import type { WorkflowState, WorkflowTransition } from '../../../contracts/resources/workflow.js';

const state = (key: string, name: string, rest: Partial<WorkflowState> = {}): WorkflowState => ({
  key,
  name,
  color: null,
  isInitial: false,
  allowsPublish: false,
  editableBy: [],
  ...rest,
});

const transition = (from: string, to: string, name: string): WorkflowTransition => ({
  from,
  to,
  name,
  roleIds: [],
  requireComment: false,
  requireAssignee: false,
  approvals: null,
});

/** Every project starts with it (decisions 2.10). */
export const defaultWorkflow = {
  slug: 'default',
  name: 'Default',
  baseState: 'draft',
  states: [
    state('draft', 'Draft', { isInitial: true }),
    state('in_review', 'In review'),
    state('approved', 'Approved', { allowsPublish: true }),
  ],
  transitions: [
    transition('draft', 'in_review', 'Send to review'),
    transition('in_review', 'approved', 'Approve'),
    transition('in_review', 'draft', 'Request changes'),
    transition('approved', 'in_review', 'Review again'),
  ],
} as const;
