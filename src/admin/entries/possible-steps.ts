import type { Outputs } from '../api/client.js';
import type { Entry } from '../api/project-data.js';

export type Workflow = Outputs['workflows']['get']['data'];

/** A state that some of several entries can enter. */
export interface PossibleStep {
  readonly to: string;
  readonly name: string;
  /** Number of entries. */
  readonly count: number;
  readonly needsComment: boolean;
}

/** The states that entries can enter from where they are, in the order of their workflows. */
export function possibleSteps(
  entries: readonly Pick<Entry, 'workflow'>[],
  workflows: readonly Workflow[],
): PossibleStep[] {
  const steps = workflows.flatMap((workflow) =>
    workflow.states.flatMap(({ key: to, name }) => {
      const starts = workflow.transitions.filter((transition) => transition.to === to);
      const able = entries.filter(
        (entry) =>
          entry.workflow?.slug === workflow.slug && starts.some(({ from }) => from === entry.workflow?.state),
      );
      const used = starts.filter(({ from }) => able.some((entry) => entry.workflow?.state === from));
      const needsComment = used.some(({ requireComment }) => requireComment);
      return able.length === 0 ? [] : [{ to, name, count: able.length, needsComment }];
    }),
  );
  // Workflows can have states of the same key, which one call enters.
  return [...Map.groupBy(steps, ({ to }) => to)].map(([to, same]) => ({
    to,
    name: [...new Set(same.map(({ name }) => name))].join(', '),
    count: same.reduce((sum, { count }) => sum + count, 0),
    needsComment: same.some(({ needsComment }) => needsComment),
  }));
}
