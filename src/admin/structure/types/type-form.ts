import { TitleFieldChoice, WorkflowChoice } from './workflow-choice.js';
import { queryClient } from '../../api/client.js';
import { apiNameOf, type FormConfig } from '../../resources/resource-config.js';

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
