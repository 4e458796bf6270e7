import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { authorizeChange } from '../access/entry-rights.js';
import type { StoredEntry } from '../stored-entry.js';
import { ExternalIdRepository } from './external-id.repository.js';

/**
 * Gives a locked entry its external id, or takes it away; undefined keeps it. Content and version stay. Rights that are limited to fields or locales
 * do not reach it.
 * @throws AppError 403 `permission_denied`, 409 `external_id_conflict`
 */
export async function nameExternally(
  work: UnitOfWork,
  { catalog, entry }: { catalog: Catalog; entry: StoredEntry },
  externalId: string | null | undefined,
): Promise<StoredEntry> {
  if (externalId === undefined || externalId === entry.externalId) return entry;
  await authorizeChange(work, entry, { catalog, action: 'update', locales: [null], fields: ['_externalId'] });
  const ids = work.use(ExternalIdRepository);
  if (externalId !== null) await ids.assertFree({ contentTypeId: entry.contentTypeId, externalId });
  await ids.write(entry.id, externalId);
  return { ...entry, externalId, updatedAt: work.now, updatedBy: work.scope.actor };
}
