import type { WorkflowState, WorkflowTransition } from '../../../contracts/content/workflows/workflow.js';

/** A workflow as the catalog knows it. */
export interface WorkflowDefinition {
  readonly id: string;
  readonly slug: string;
  readonly isDefault: boolean;
  /** Empty means all. */
  readonly contentTypeIds: readonly string[];
  /** Empty means all. */
  readonly siteIds: readonly string[];
  readonly enforcement: 'advisory' | 'strict';
  readonly perLocale: boolean;
  /** The state of locales that store none. It was the initial one when the workflow was created. */
  readonly baseState: string;
  readonly states: readonly WorkflowState[];
  readonly transitions: readonly WorkflowTransition[];
}

type States = Pick<WorkflowDefinition, 'states'>;

export const stateOf = ({ states }: States, key: string): WorkflowState | undefined =>
  states.find((state) => state.key === key);

export function initialState({ states }: States): string {
  const initial = states.find(({ isInitial }) => isInitial);
  if (initial === undefined) throw new Error('Workflow has no initial state');
  return initial.key;
}

/** What a locale in this state stores. */
export const storedState = (
  { baseState }: Pick<WorkflowDefinition, 'baseState'>,
  key: string,
): string | null => (key === baseState ? null : key);

/** What a type names that has no workflow; no workflow has this slug (rule workflows/choice). */
export const NO_WORKFLOW = 'none';

interface Placed {
  readonly contentTypeId: string;
  readonly siteId: string;
}

/**
 * The workflow of entries of a type on a site: the one that the type names, else the first that names the type, else
 * the default one, of those that apply to the site (rule workflows/choice); none if the type names {@link NO_WORKFLOW}.
 */
export function selectWorkflow(
  workflows: readonly WorkflowDefinition[],
  { contentTypeId, siteId }: Placed,
  namedByType: string | null,
): WorkflowDefinition | undefined {
  if (namedByType === NO_WORKFLOW) return undefined;
  const applying = workflows.filter(({ siteIds }) => siteIds.length === 0 || siteIds.includes(siteId));
  const names = ({ contentTypeIds }: WorkflowDefinition) => contentTypeIds.includes(contentTypeId);
  return (
    applying.find(({ slug }) => slug === namedByType) ??
    applying.find(names) ??
    applying.find((one) => one.isDefault && one.contentTypeIds.length === 0)
  );
}

export interface LocaleState {
  readonly locale: string;
  /** Null is the base state; absent in a new locale. */
  readonly workflowState?: string | null | undefined;
}

/** The state of an entry in a locale; of what is not written yet, the initial one. */
export function stateIn(
  workflow: WorkflowDefinition,
  locales: readonly LocaleState[],
  locale: string,
): string {
  const known = locales.find(
    (one) => one.workflowState !== undefined && (!workflow.perLocale || one.locale === locale),
  );
  return known === undefined ? initialState(workflow) : (known.workflowState ?? workflow.baseState);
}

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

/** Every project starts with it (rule workflows/definition). */
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
