import type { AuditAction } from '../../../../../contracts/change-names.js';
import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Snapshot } from '../../../../persistence/work/unit-of-work.js';
import { offsetConflict, type StoredUpload, type UploadPart } from './stored-upload.js';

const columns = `id, tenant_id AS "tenantId", file_name AS "fileName", mime_type AS "mimeType", size::float8 AS size, checksum,
  request, received::float8 AS received, asset_id AS "assetId", created_at AS "createdAt", created_by AS "createdBy",
  expires_at AS "expiresAt"`;

const verbs = {
  create: 'media_upload.create',
  append: 'media_upload.append',
  abort: 'media_upload.delete',
} as const satisfies Record<string, AuditAction>;

/** Audit records name the file; the values of its asset are recorded with the asset. */
const snapshotOf = ({ fileName, mimeType, size, received }: StoredUpload): Snapshot => ({
  fileName,
  mimeType,
  size,
  received,
});

const PRUNED_AT_ONCE = 1000;

/** Uploads that have not expired. */
export class UploadRepository extends Repository {
  /** @throws AppError 404 `media_upload_not_found` */
  find(id: string): Promise<StoredUpload> {
    return this.#one(id, '');
  }

  lock(id: string): Promise<StoredUpload> {
    return this.#one(id, 'FOR UPDATE');
  }

  async insert(upload: StoredUpload): Promise<void> {
    const { id, fileName, mimeType, size, checksum, request, createdAt, createdBy, expiresAt } = upload;
    await this.query(
      `INSERT INTO media_uploads (tenant_id, environment_id, id, file_name, mime_type, size, checksum, request, created_at,
         created_by, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        ...[this.tenantId, this.environmentId, id, fileName, mimeType, size, checksum],
        ...[JSON.stringify(request), createdAt, JSON.stringify(createdBy), expiresAt],
      ],
    );
    this.#note('create', null, upload);
  }

  /**
   * Adds the next part of a locked upload.
   * @throws AppError 409 `upload_offset_conflict` if others have arrived, 422 `limit_reached`
   */
  async append(before: StoredUpload, { start, size, storageKey }: UploadPart): Promise<StoredUpload> {
    if (before.received !== start || before.assetId !== null) throw offsetConflict(before);
    const maximum = limits.mediaUploadParts;
    if ((await this.#countParts(before.id)) >= maximum) throw new AppError('limit_reached', { maximum });
    await this.query(
      `INSERT INTO media_upload_parts (tenant_id, environment_id, upload_id, start, size, storage_key)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [this.tenantId, this.environmentId, before.id, start, size, storageKey],
    );
    const after = { ...before, received: start + size };
    await this.query('UPDATE media_uploads SET received = $3 WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      before.id,
      after.received,
    ]);
    this.#note('append', before, after);
    return after;
  }

  /** In the order of the file. */
  async parts(id: string): Promise<UploadPart[]> {
    return this.query<UploadPart>(
      `SELECT start::float8 AS start, size::float8 AS size, storage_key AS "storageKey" FROM media_upload_parts
        WHERE environment_id = $1 AND upload_id = $2 ORDER BY media_upload_parts.start`,
      [this.environmentId, id],
    );
  }

  /** The asset's creation or change is the record. */
  async complete({ id }: StoredUpload, assetId: string): Promise<void> {
    await this.query('UPDATE media_uploads SET asset_id = $3 WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      id,
      assetId,
    ]);
    await this.query('DELETE FROM media_upload_parts WHERE environment_id = $1 AND upload_id = $2', [
      this.environmentId,
      id,
    ]);
  }

  async remove(upload: StoredUpload): Promise<void> {
    await this.query('DELETE FROM media_uploads WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      upload.id,
    ]);
    this.#note('abort', upload, null);
  }

  /** Deletes expired uploads of every tenant. The objects of their parts are swept. */
  async prune(): Promise<void> {
    for (let gone = PRUNED_AT_ONCE; gone === PRUNED_AT_ONCE;) {
      const [row] = await this.query<{ gone: number }>(
        `WITH gone AS (DELETE FROM media_uploads WHERE (environment_id, id) IN (SELECT environment_id, id FROM media_uploads
           WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${String(PRUNED_AT_ONCE)}) RETURNING 1)
         SELECT count(*)::int AS gone FROM gone`,
        [this.bound.now],
      );
      gone = row?.gone ?? 0;
    }
  }

  async #countParts(id: string): Promise<number> {
    const [row] = await this.query<{ parts: number }>(
      'SELECT count(*)::int AS parts FROM media_upload_parts WHERE environment_id = $1 AND upload_id = $2',
      [this.environmentId, id],
    );
    return row?.parts ?? 0;
  }

  async #one(id: string, lock: string): Promise<StoredUpload> {
    const [row] = isUuid(id)
      ? await this.query<StoredUpload>(
          `SELECT ${columns} FROM media_uploads WHERE environment_id = $1 AND id = $2 AND expires_at > $3
             AND NOT is_request ${lock}`,
          [this.environmentId, id, this.bound.now],
        )
      : [];
    if (row === undefined) throw new AppError('media_upload_not_found');
    return row;
  }

  #note(verb: keyof typeof verbs, before: StoredUpload | null, after: StoredUpload | null): void {
    const { id = '', fileName: name = '', request } = after ?? before ?? {};
    const { siteIds = [] } = request ?? {};
    this.record({
      action: verbs[verb],
      target: { type: 'media_upload', id, name },
      before: before && snapshotOf(before),
      after: after && snapshotOf(after),
      siteId: siteIds.length === 1 ? siteIds[0] : null,
    });
  }
}
