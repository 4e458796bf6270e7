import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject } from '../../api/project-data.js';
import { controlOf } from '../../fields/field-editor.js';
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
        <select
          {...controlOf(props)}
          className="select"
          disabled={props.isReadOnly}
          onChange={({ target }) => props.onChange(target.value || null)}
          value={typeof props.value === 'string' ? props.value : ''}
        >
          <option value="">{t('types.workflow.automatic')}</option>
          <option value={NO_WORKFLOW}>{t('types.workflow.none')}</option>
          {all.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Loaded>
  );
}
