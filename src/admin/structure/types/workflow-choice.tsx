import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject } from '../../api/project-data.js';
import { OptionSelect } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';

/** The slug that no workflow has. */
const NO_WORKFLOW = 'none';

/** The workflow of a type: one of the project, none, or the one that applies by itself. */
export function WorkflowChoice(props: PropertyControlProps) {
  const { slug: projectSlug } = useProject();
  const workflows = useQuery({
    queryKey: [...api.workflows.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.workflows.list.query({ projectSlug, page, limit: PAGE_SIZE })),
  });
  return (
    <Loaded query={workflows}>
      {(all) => (
        <OptionSelect
          {...props}
          none={t('types.workflow.automatic')}
          options={[
            { value: NO_WORKFLOW, label: t('types.workflow.none') },
            ...all.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
        />
      )}
    </Loaded>
  );
}
