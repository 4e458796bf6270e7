import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { TransitionForm } from '../../editor/workflow/transition-form.js';
import { CurrentState } from '../../editor/workflow/current-state.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { refreshWork } from './use-tasks.js';

interface Props {
  readonly entryId: string;
  /** Where each locale has its own state. */
  readonly locale: string | null;
  readonly title: string;
  readonly onClose: () => void;
}

/** The transitions that the user can make, and who continues. */
export function WorkflowDialog({ entryId: id, locale, title, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const place = { projectSlug, id, ...(locale !== null && { locale }) };
  const query = useQuery(api.entries.getWorkflow.queryOptions(place, { staleTime: 0, retry: false }));
  return (
    <Dialog onClose={onClose} title={title}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <CurrentState workflow={data} />
            <TransitionForm onDone={onClose} onTried={refreshWork} version={data.version} workflow={data} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
