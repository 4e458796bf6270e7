import type { customFieldTypes } from '../../../contracts/management/custom-field-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertUsable, derivationWarnings } from './custom-field-type.policy.js';
import { presentWritten, type WrittenCustomFieldType } from './custom-field-type.presenter.js';
import { CustomFieldTypeRepository, type StoredCustomFieldType } from './custom-field-type.repository.js';
import { revalidateValues } from './revalidate-values.js';

/** Changes a custom field type and reports the values that do not match a new schema. */
export async function updateCustomFieldType(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.update>,
): Promise<WrittenCustomFieldType> {
  const { projectSlug: _project, apiName, ...change } = input;
  const changes = definedKeys(change);
  const types = work.use(CustomFieldTypeRepository);
  const before = await types.find(apiName);
  if (!hasChanges(before, changes)) return presentWritten(before, []);
  const after: StoredCustomFieldType = {
    ...before,
    ...changes,
    version: before.version + 1,
    updatedAt: work.now,
  };
  assertUsable(await work.use(CatalogRepository).current(), after);
  await types.save(before, after);
  const isSameSchema = isEqualJson(before.jsonSchema, after.jsonSchema);
  const refused = isSameSchema ? [] : await revalidateValues(work, after);
  return presentWritten(after, [...derivationWarnings(after), ...refused]);
}
