import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** What the uploads of a project that are open at once may have. */
export interface UploadQuota {
  /** Uploads of one key, or of one user. */
  readonly maximum: number;
  /** Bytes of all, as announced. */
  readonly bytes: number;
}

/** Uploads that have neither ended nor expired, in every environment of the project. */
export class OpenUploadRepository extends Repository {
  /**
   * Opening uploads of the project take turns until their units of work end, so that no two take the same room.
   * @throws AppError 409 `open_uploads_exceeded`
   */
  async assertRoom(size: number, { maximum, bytes }: UploadQuota): Promise<void> {
    await this.holdKeys([`media-uploads:${this.projectId}`]);
    const { type, id } = this.bound.scope.actor;
    const [open] = await this.query<{ own: number; bytes: number }>(
      `SELECT count(*) FILTER (WHERE upload.created_by @> $3)::int AS own, coalesce(sum(upload.size), 0)::float8 AS bytes
        FROM media_uploads upload JOIN environments environment ON environment.id = upload.environment_id
        WHERE environment.project_id = $1 AND upload.asset_id IS NULL AND upload.expires_at > $2`,
      [this.projectId, this.bound.now, JSON.stringify({ type, id })],
    );
    if ((open?.own ?? 0) >= maximum)
      throw new AppError('open_uploads_exceeded', { of: type === 'user' ? 'user' : 'key', maximum });
    const left = bytes - (open?.bytes ?? 0);
    if (size > left)
      throw new AppError('open_uploads_exceeded', {
        of: 'project',
        maximumBytes: bytes,
        leftBytes: Math.max(left, 0),
      });
  }

  /** A file that arrives with its request. Nobody can address it, so it has no audit record. */
  async openRequest(id: string, size: number): Promise<void> {
    const { now, scope } = this.bound;
    await this.query(
      `INSERT INTO media_uploads (tenant_id, environment_id, id, file_name, mime_type, size, request, created_at, created_by,
         expires_at, is_request) VALUES ($1, $2, $3, '', '', $4, '{}', $5, $6, $7, true)`,
      [
        ...[this.tenantId, this.environmentId, id, size, now, JSON.stringify(scope.actor)],
        new Date(now.getTime() + limits.mediaRequestMinutes * 60_000),
      ],
    );
  }

  async closeRequest(id: string): Promise<void> {
    await this.query('DELETE FROM media_uploads WHERE environment_id = $1 AND id = $2 AND is_request', [
      this.environmentId,
      id,
    ]);
  }
}
