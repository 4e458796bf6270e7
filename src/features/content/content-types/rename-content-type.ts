import { AppError } from '../../../../contracts/errors.js';
import type { contentTypes } from '../../../../contracts/content/content-types/content-types.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { ContentType } from '../../../../contracts/content/content-types/content-type.js';
import { isReservedTypeName, typeNameOf } from '../../../content/model/api-names.js';
import { contentTypeClash } from '../../../content/graphql-names.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { presentContentType } from './content-type.policy.js';
import { ContentTypeRepository } from './content-type.repository.js';
import { RenameRepository, StoredNamesRepository } from '../../environments/renames/index.js';

/**
 * The name must be as free as that of a new type; its current name is allowed.
 * @throws AppError 422 `reserved_api_name`, 409 `api_name_conflict` or `graphql_type_name_conflict`
 */
async function assertFree(work: UnitOfWork, apiName: string, contentTypeId: string): Promise<void> {
  if (isReservedTypeName(apiName)) throw new AppError('reserved_api_name', { apiName });
  const catalog = await work.use(CatalogRepository).current();
  const others = catalog.data.contentTypes.filter(({ id }) => id !== contentTypeId);
  // Equal names have equal type names.
  if (others.some((other) => typeNameOf(other.apiName) === typeNameOf(apiName)))
    throw new AppError('api_name_conflict', { apiName });
  const clash = contentTypeClash(catalog, apiName);
  if (clash !== undefined) throw new AppError('graphql_type_name_conflict', clash);
}

/**
 * Gives a content type another apiName. Links to its entries follow in every draft and published
 * document, fields that allow it use the new name, and versions are read under the new name.
 */
export async function renameContentType(
  work: UnitOfWork,
  { contentTypeApiName: from, apiName: to }: InputOf<typeof contentTypes.rename>,
): Promise<{ data: ContentType }> {
  const types = work.use(ContentTypeRepository);
  const before = await types.find(from, 'update');
  if (to === from) return { data: presentContentType(before) };
  const { id: contentTypeId, schemaVersion } = before.type;
  await assertFree(work, to, contentTypeId);
  const change = { apiName: to, typeName: typeNameOf(to), schemaVersion: schemaVersion + 1 };
  await types.save(before, { ...before, type: { ...before.type, ...change, updatedAt: work.now } });
  await work.use(RenameRepository).renameContentType({ contentTypeId, from, to });
  await work.use(StoredNamesRepository).renameContentType({ from, to });
  // Read again: fields of the type may allow the type itself.
  const after = await types.find(to, 'update');
  types.note({ action: 'content_type.rename', before, after });
  work.emit({
    type: 'content_type.updated',
    data: { contentTypeApiName: to, renamed: { id: contentTypeId, from, to } },
  });
  return { data: presentContentType(after) };
}
