import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { customFieldTypes } from '../../../contracts/management/custom-field-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertUsable, derivationWarnings } from './custom-field-type.policy.js';
import { presentWritten, type WrittenCustomFieldType } from './custom-field-type.presenter.js';
import { CustomFieldTypeRepository, type StoredCustomFieldType } from './custom-field-type.repository.js';

/** Registers a custom field type. */
export async function createCustomFieldType(
  work: UnitOfWork,
  input: InputOf<typeof customFieldTypes.create>,
): Promise<WrittenCustomFieldType> {
  const catalog = await work.use(CatalogRepository).current();
  const { customFieldTypes } = catalog;
  if (customFieldTypes.has(input.apiName))
    throw new AppError('api_name_conflict', { apiName: input.apiName });
  if (customFieldTypes.size >= limits.customFieldTypesPerProject)
    throw new AppError('limit_reached', { limit: limits.customFieldTypesPerProject });
  const type: StoredCustomFieldType = {
    id: work.newId(),
    apiName: input.apiName,
    name: input.name,
    description: input.description ?? null,
    jsonSchema: input.jsonSchema,
    graphqlTypeName: input.graphqlTypeName ?? null,
    defaultValue: input.defaultValue ?? null,
    editor: input.editor ?? null,
    indexAs: input.indexAs ?? 'none',
    version: 1,
    usageCount: 0,
    createdAt: work.now,
    updatedAt: work.now,
  };
  assertUsable(catalog, type);
  await work.use(CustomFieldTypeRepository).insert(type);
  return presentWritten(type, derivationWarnings(type));
}
