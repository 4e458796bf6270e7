import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';

interface State {
  readonly key: string;
  readonly name: string;
  readonly color: string | null;
}

const STATES_MILLISECONDS = 60_000;

/** Finds a state of a workflow, if any applies. For those who may not read workflows, it has no name but its key. */
export function useStates(workflowSlug: string | null): (key: string) => State {
  const { slug: projectSlug, may } = useProject();
  const { data } = useQuery(
    api.workflows.get.queryOptions(
      { projectSlug, workflowSlug: workflowSlug ?? '' },
      { enabled: workflowSlug !== null && may('workflows.get'), staleTime: STATES_MILLISECONDS },
    ),
  );
  return (key) => data?.data.states.find((state) => state.key === key) ?? { key, name: key, color: null };
}

/** A state with its color. */
export function StateBadge({ state: { name, color } }: { readonly state: State }) {
  return (
    <span className="badge state">
      {color !== null && (
        <span aria-hidden="true" className="state-color" style={{ backgroundColor: color }} />
      )}
      {name}
    </span>
  );
}
