import type { Outputs } from '../../api/client.js';

export type Workflow = Outputs['workflows']['get']['data'];
export type WorkflowState = Workflow['states'][number];
export type WorkflowTransition = Workflow['transitions'][number];

export const newState: WorkflowState = {
  key: '',
  name: '',
  color: null,
  isInitial: false,
  allowsPublish: false,
  editableBy: [],
};

export const newTransition: WorkflowTransition = {
  from: '',
  to: '',
  name: '',
  roleIds: [],
  requireComment: false,
  requireAssignee: false,
  approvals: null,
};

const KEY_LENGTH = 64;

/** `In review` becomes `in_review`. */
export const keyFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, KEY_LENGTH);

/** A state whose key follows its name until another one is typed. */
export function renamed(state: WorkflowState, name: string, isNew: boolean): WorkflowState {
  const follows = isNew && state.key === keyFrom(state.name);
  return { ...state, name, key: follows ? keyFrom(name) : state.key };
}

/** Entries start in one state. */
export const withInitial = (states: readonly WorkflowState[], at: number): WorkflowState[] =>
  states.map((state, index) => ({ ...state, isInitial: index === at }));

/** With this number of approvals; 0 for none. */
export function withApprovals(transition: WorkflowTransition, required: number): WorkflowTransition {
  const { approvals } = transition;
  if (required === 0) return { ...transition, approvals: null };
  return { ...transition, approvals: { roleIds: [], distinctFromAuthor: true, ...approvals, required } };
}

/** What a new workflow starts with. */
export const firstStates: readonly WorkflowState[] = [
  { ...newState, key: 'draft', name: 'Draft', isInitial: true },
  { ...newState, key: 'in_review', name: 'In review' },
  { ...newState, key: 'approved', name: 'Approved', allowsPublish: true },
];

export const firstTransitions: readonly WorkflowTransition[] = [
  { ...newTransition, from: 'draft', to: 'in_review', name: 'Send to review' },
  { ...newTransition, from: 'in_review', to: 'approved', name: 'Approve' },
  { ...newTransition, from: 'in_review', to: 'draft', name: 'Request changes' },
];
