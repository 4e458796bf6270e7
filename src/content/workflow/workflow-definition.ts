import type { WorkflowState, WorkflowTransition } from '../../../contracts/content/workflows/workflow.js';
import type { InputIssue } from '../../../contracts/errors.js';

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

type Shape = Pick<WorkflowDefinition, 'states' | 'transitions'>;
type Path = InputIssue['path'];

const issue = (path: Path, code: string, message: string): InputIssue => ({ path, code, message });

function stateIssues({ states }: Shape): InputIssue[] {
  const found = states.flatMap(({ key }, index) => {
    const isRepeated = states.findIndex((state) => state.key === key) < index;
    return isRepeated
      ? [issue(['states', index, 'key'], 'duplicate', `The state ${key} appears twice.`)]
      : [];
  });
  const initial = states.flatMap(({ isInitial }, index) => (isInitial ? [index] : []));
  if (initial.length === 0) found.push(issue(['states'], 'no_initial_state', 'One state must be initial.'));
  for (const index of initial.slice(1))
    found.push(
      issue(['states', index, 'isInitial'], 'several_initial_states', 'Only one state can be initial.'),
    );
  return found;
}

function transitionIssues({ states, transitions }: Shape): InputIssue[] {
  const keys = new Set(states.map(({ key }) => key));
  const seen = new Set<string>();
  return transitions.flatMap(({ from, to }, index) => {
    const found = (['from', 'to'] as const)
      .map((end) => [end, end === 'from' ? from : to] as const)
      .filter(([, key]) => !keys.has(key))
      .map(([end, key]) =>
        issue(['transitions', index, end], 'unknown_state', `The workflow has no state ${key}.`),
      );
    if (from === to)
      found.push(issue(['transitions', index, 'to'], 'same_state', 'from and to must differ.'));
    if (seen.has(`${from} ${to}`))
      found.push(
        issue(['transitions', index], 'duplicate', `The transition from ${from} to ${to} appears twice.`),
      );
    seen.add(`${from} ${to}`);
    return found;
  });
}

/** The states that a walk along the edges meets, the starts included. */
function reached(starts: readonly string[], edges: readonly (readonly [string, string])[]): Set<string> {
  const met = new Set(starts);
  const waiting = [...starts];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
    for (const [from, to] of edges)
      if (from === key && !met.has(to)) {
        met.add(to);
        waiting.push(to);
      }
  return met;
}

/** The first cycle among these states as a path that ends where it starts. */
function cycleAmong(keys: ReadonlySet<string>, { transitions }: Shape): string[] | undefined {
  const done = new Set<string>();
  const walk = (key: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(key);
    if (start >= 0) return [...path.slice(start), key];
    if (done.has(key)) return undefined;
    done.add(key);
    for (const { from, to } of transitions) {
      if (from !== key || !keys.has(to)) continue;
      const cycle = walk(to, [...path, key]);
      if (cycle !== undefined) return cycle;
    }
    return undefined;
  };
  for (const key of keys) {
    const cycle = walk(key, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function graphIssues(shape: Shape): InputIssue[] {
  const { states, transitions } = shape;
  const forward = transitions.map(({ from, to }) => [from, to] as const);
  const backward = transitions.map(({ from, to }) => [to, from] as const);
  const initial = states.filter(({ isInitial }) => isInitial).map(({ key }) => key);
  const reachable = reached(initial, forward);
  const found = states.flatMap(({ key }, index) =>
    reachable.has(key)
      ? []
      : [
          issue(
            ['states', index],
            'unreachable_state',
            `No transitions lead from the initial state to ${key}.`,
          ),
        ],
  );
  const publishing = states.filter(({ allowsPublish }) => allowsPublish).map(({ key }) => key);
  const open = reached(publishing, backward);
  const closed = new Set(states.map(({ key }) => key).filter((key) => !open.has(key)));
  const cycle = cycleAmong(closed, shape);
  if (cycle !== undefined) {
    const message = `From the cycle ${cycle.join(' → ')} no state that allows publishing can be reached.`;
    found.push(issue(['transitions'], 'cycle_without_publish', message));
  }
  return found;
}

/** What is wrong with the states and transitions of a workflow (rule workflows/definition). */
export function workflowIssues(shape: Shape): InputIssue[] {
  const issues = [...stateIssues(shape), ...transitionIssues(shape)];
  return issues.length > 0 ? issues : graphIssues(shape);
}
