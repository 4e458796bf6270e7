import { useQuery } from '@tanstack/react-query';
import { api, client, queryClient } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject, type Field } from '../../api/project-data.js';
import { OptionSelect } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { useFormValues } from '../../resources/form-values.js';
import { apiNameOf, type FormConfig } from '../../resources/resource-config.js';

/** Kinds that the service takes as titles. */
const titling: ReadonlySet<string> = new Set([
  ...['text', 'longText', 'slug', 'select', 'email', 'url', 'date', 'dateTime', 'number', 'integer'],
]);
const canTitle = ({ type, isList }: Field): boolean => !isList && titling.has(type);

/** The fields of the type that can title an entry. */
function TitleFieldChoice(props: PropertyControlProps) {
  const fields = (useFormValues().fields ?? []) as readonly Field[];
  const options = fields
    .filter((field) => canTitle(field) || field.apiName === props.value)
    .map(({ apiName, name }) => ({ value: apiName, label: name }));
  return <OptionSelect {...props} none={t('types.firstText')} options={options} />;
}

/** The slug that no workflow has. */
const NO_WORKFLOW = 'none';

/** The workflow of a type: one of the project, none, or the one that applies by itself. */
function WorkflowChoice(props: PropertyControlProps) {
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

/** Fields have separate dialogs. */
export const typeForm: FormConfig = {
  order: [
    'name',
    'apiName',
    'description',
    'displayField',
    'isLocalized',
    'fieldFallback',
    'isPage',
    'isBlock',
    'isSingleton',
  ],
  hidden: ['fields'],
  editors: { workflowSlug: WorkflowChoice, displayField: TitleFieldChoice },
  named: { apiName: apiNameOf },
  // A new type has no field yet.
  isShown: (key, { fields }) => key !== 'displayField' || fields !== undefined,
  start: { isLocalized: true },
};

/** Every screen of the project knows its types. */
export async function refreshTypes(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [['contentTypes']] }),
    queryClient.invalidateQueries({ queryKey: ['project'] }),
  ]);
}
