import type { InputIssue } from '../../../contracts/errors.js';
import type { WorkflowDefinition } from './workflow-definition.js';

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
