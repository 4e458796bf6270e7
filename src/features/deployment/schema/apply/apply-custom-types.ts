import {
  createCustomFieldType,
  deleteCustomFieldType,
  updateCustomFieldType,
} from '../../../content/custom-field-types/index.js';
import { changedValues, inDocument, stepsOf, type ApplyContext } from './apply-context.js';

export async function writeCustomTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug, target } = context;
  const wanted = new Map((target.model.customFieldTypes ?? []).map((type) => [type.apiName, type]));
  for (const step of stepsOf(context, 'customFieldType', 'create', 'update')) {
    const type = wanted.get(step.name);
    if (type === undefined) continue;
    const { apiName } = type;
    await inDocument('customFieldTypes', apiName, () =>
      step.action === 'create'
        ? createCustomFieldType(work, { projectSlug, ...type })
        : updateCustomFieldType(work, { projectSlug, apiName, ...changedValues(step) }),
    );
  }
}

/** After the fields that used them. */
export async function deleteCustomTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { name } of stepsOf(context, 'customFieldType', 'delete'))
    await deleteCustomFieldType(work, { projectSlug, apiName: name });
}
