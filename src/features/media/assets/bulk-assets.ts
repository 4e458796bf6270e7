import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type {
  MediaBulkAction,
  MediaBulkItem,
  MediaBulkResult,
} from '../../../../contracts/resources/media-life.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { hasChanges } from '../../shared/index.js';
import { FolderRepository } from '../folders/folder.repository.js';
import { authorizeAsset } from '../asset-rights.js';
import { assetEvent } from '../asset.events.js';
import type { StoredAsset } from '../stored-asset.js';
import { assertTagCount, type AssetProperties } from './asset-input.js';
import { AssetRepository } from '../asset.repository.js';
import { removeAsset } from './delete-asset.js';

type Input = InputOf<typeof media.bulk>;
type Params = Input['params'];

const paramOf = { delete: 'force', move: 'folderId', tag: 'tags', untag: 'tags' } as const satisfies Record<
  MediaBulkAction,
  keyof Params
>;

/** @throws AppError 422 for params that the action does not take, or lacks */
function assertParams({ action, params }: Input): void {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const unknown = given
    .filter(([name]) => name !== paramOf[action])
    .map(([name]) => ({
      path: ['params', name],
      code: 'unrecognized_key',
      message: `${action} does not accept ${name}.`,
    }));
  const name = paramOf[action];
  const isMissing = action !== 'delete' && params[name] === undefined;
  const missing = isMissing
    ? [{ path: ['params', name], code: 'required', message: `${action} requires ${name}.` }]
    : [];
  const issues = [...unknown, ...missing];
  if (issues.length > 0) throw invalidInput(...issues);
}

/** The properties that the action changes. */
function changeOf(asset: StoredAsset, { action, params }: Input): Partial<AssetProperties> {
  const { folderId = null, tags = [] } = params;
  if (action === 'move') return { folderId: folderId?.toLowerCase() ?? null };
  if (action === 'tag') return { tags: assertTagCount([...new Set([...asset.tags, ...tags])]) };
  return { tags: asset.tags.filter((tag) => !tags.includes(tag)) };
}

async function changeAsset(work: UnitOfWork, id: string, input: Input): Promise<MediaBulkItem> {
  const assets = work.use(AssetRepository);
  const before = await assets.lock(id);
  if (input.action === 'delete') {
    await removeAsset(work, before, input.params.force === true);
    return { assetId: id, ok: true };
  }
  authorizeAsset(work, before, { action: 'update' });
  const change = changeOf(before, input);
  if (!hasChanges(before, change)) return { assetId: id, ok: true, version: before.version };
  const version = before.version + 1;
  const after = { ...before, ...change, version, updatedAt: work.now, updatedBy: work.scope.actor };
  await assets.save(before, after);
  work.emit(assetEvent('updated', after));
  return { assetId: id, ok: true, version };
}

/** A failure undoes only its asset. */
async function outcomeOf(work: UnitOfWork, id: string, input: Input): Promise<MediaBulkItem> {
  try {
    return await work.part((part) => changeAsset(part, id, input));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { assetId: id, ok: false, error: code, message, ...(details !== undefined && { details }) };
  }
}

/** In the order of ids, so that concurrent calls do not wait for each other. */
export async function bulkAssets(work: UnitOfWork, input: Input): Promise<{ data: MediaBulkResult }> {
  assertParams(input);
  const { folderId } = input.params;
  if (typeof folderId === 'string') await work.use(FolderRepository).find(folderId, ['params', 'folderId']);
  const ids = [...new Set(input.assetIds.map((id) => id.toLowerCase()))];
  const outcomes = new Map<string, MediaBulkItem>();
  for (const id of ids.toSorted()) outcomes.set(id, await outcomeOf(work, id, input));
  const results = ids.flatMap((id) => outcomes.get(id) ?? []);
  const failed = results.filter(({ ok }) => !ok).length;
  const { action } = input;
  return { data: { action, total: results.length, succeeded: results.length - failed, failed, results } };
}
