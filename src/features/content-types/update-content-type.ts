import { AppError } from '../../../contracts/errors.js';
import type { contentTypes } from '../../../contracts/management/content-types.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ContentType } from '../../../contracts/resources/content-type.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertPattern } from './content-type.policy.js';
import { followWorkflow } from './follow-workflow.js';
import { presentContentType } from './content-type.presenter.js';
import { ContentTypeRepository } from './content-type.repository.js';
import { assertDisplayField } from './display-field.js';
import { TitleRepository } from './title.repository.js';
import { SingletonRepository } from './singleton.repository.js';

/** Changes a content type; its fields have separate operations. */
export async function updateContentType(
  work: UnitOfWork,
  input: InputOf<typeof contentTypes.update>,
): Promise<{ data: ContentType }> {
  const { projectSlug: _project, apiName, ...change } = input;
  const changes = definedKeys(change);
  assertPattern(changes.slugPattern);
  const types = work.use(ContentTypeRepository);
  const before = await types.find(apiName, 'update');
  assertDisplayField(changes.displayField, before.fields);
  if (!hasChanges(before.type, changes)) return { data: presentContentType(before) };
  const becomesSingleton = changes.isSingleton === true && !before.type.isSingleton;
  if (becomesSingleton && (await work.use(SingletonRepository).isRepeated(before.type.id))) {
    throw new AppError(
      'content_type_in_use',
      { contentTypeApiName: apiName },
      'A site has several entries of this type.',
    );
  }
  const type = {
    ...before.type,
    ...changes,
    schemaVersion: before.type.schemaVersion + 1,
    updatedAt: work.now,
  };
  const after = { ...before, type };
  await types.save(before, after);
  await followWorkflow(work, before, after);
  await work.use(TitleRepository).follow(before, after);
  types.note({ action: 'content_type.update', before, after });
  work.emit({ type: 'content_type.updated', data: { contentTypeApiName: apiName } });
  return { data: presentContentType(after) };
}
