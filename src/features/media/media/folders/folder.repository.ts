import type { AuditVerb } from '../../../../../contracts/change-names.js';
import { inTextOrder } from '../../../../infrastructure/text-order.js';
import type { Page } from '../../../../../contracts/envelopes.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { MediaFolder } from '../../../../../contracts/media/media-folders/media-folder.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { containing, Repository } from '../../../../persistence/repositories/repository.js';

export interface StoredFolder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** With what is derived from other rows. */
interface ShownFolder extends StoredFolder {
  readonly path: string;
  readonly assetCount: number;
}

const columns = `f.id, f.name, f.parent_id AS "parentId", f.created_at AS "createdAt", f.updated_at AS "updatedAt"`;
const derived = `(WITH RECURSIVE up AS (
    SELECT f.parent_id, '/' || f.name AS path
    UNION ALL SELECT p.parent_id, '/' || p.name || up.path FROM up
      JOIN media_folders p ON p.environment_id = f.environment_id AND p.id = up.parent_id)
  SELECT path FROM up WHERE parent_id IS NULL) AS path,
  (SELECT coalesce(sum(c.assets), 0)::int FROM media_counts c
    WHERE c.environment_id = f.environment_id AND c.folder_id = f.id) AS "assetCount"`;

const orderColumns: Readonly<Record<string, string>> & { readonly name: string } = {
  createdAt: 'f.created_at',
  updatedAt: 'f.updated_at',
  name: inTextOrder('f.name'),
};

const failures = {
  media_folders_name_key: () => new AppError('folder_conflict'),
  media_folders_parent_fkey: () => new AppError('media_folder_not_found', { path: ['parentId'] }),
};
const inUse = {
  media_folders_parent_fkey: () => new AppError('folder_not_empty'),
  media_assets_folder_fkey: () => new AppError('folder_not_empty'),
};

export interface FolderQuery {
  readonly parentId: string | undefined;
  readonly q: string | undefined;
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
}

export class FolderRepository extends Repository {
  /** Serializes changes of folders, so that concurrent moves cannot form a cycle. */
  async lockAll(): Promise<void> {
    await this.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('media-folders:' || $1, 0)) IS NULL AS locked",
      [this.environmentId],
    );
  }

  /**
   * @param path of the id in the input, if it is not in the URL
   * @throws AppError 404 `media_folder_not_found`
   */
  async find(id: string, path?: readonly string[]): Promise<StoredFolder> {
    const [row] = isUuid(id)
      ? await this.query<StoredFolder>(
          `SELECT ${columns} FROM media_folders f WHERE f.environment_id = $1 AND f.id = $2`,
          [this.environmentId, id],
        )
      : [];
    if (row === undefined) throw new AppError('media_folder_not_found', path && { path });
    return row;
  }

  /** In the form that is returned. */
  async show(id: string): Promise<MediaFolder> {
    const [row] = await this.query<ShownFolder>(
      `SELECT ${columns}, ${derived} FROM media_folders f WHERE f.environment_id = $1 AND f.id = $2`,
      [this.environmentId, id],
    );
    if (row === undefined) throw new AppError('media_folder_not_found');
    return present(row);
  }

  async list({ parentId, q, orderBy, limit, offset }: FolderQuery): Promise<Page<MediaFolder>> {
    const bind: unknown[] = [this.environmentId];
    const conditions = ['f.environment_id = $1'];
    if (parentId !== undefined) conditions.push(`f.parent_id = $${String(bind.push(parentId))}`);
    if (q !== undefined) conditions.push(`normalize(f.name) ILIKE $${String(bind.push(containing(q)))}`);
    const where = conditions.join(' AND ');
    const [key = '', direction] = orderBy.split(':');
    const order = direction === 'asc' ? 'ASC' : 'DESC';
    const [rows, [count]] = await Promise.all([
      this.query<ShownFolder>(
        `SELECT ${columns}, ${derived} FROM media_folders f WHERE ${where}
         ORDER BY ${orderColumns[key] ?? orderColumns.name} ${order}, f.id ${order}
         LIMIT $${String(bind.length + 1)} OFFSET $${String(bind.length + 2)}`,
        [...bind, limit, offset],
      ),
      this.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM media_folders f WHERE ${where}`,
        bind,
      ),
    ]);
    return { items: rows.map(present), total: count?.total ?? 0 };
  }

  async count(): Promise<number> {
    const [row] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM media_folders WHERE environment_id = $1',
      [this.environmentId],
    );
    return row?.total ?? 0;
  }

  /** Ids from the folder up to the top level. */
  async ancestry(id: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `WITH RECURSIVE up AS (
         SELECT id, parent_id, 1 AS step FROM media_folders WHERE environment_id = $1 AND id = $2
         UNION ALL SELECT p.id, p.parent_id, step + 1 FROM up
           JOIN media_folders p ON p.environment_id = $1 AND p.id = up.parent_id)
       SELECT id FROM up ORDER BY step`,
      [this.environmentId, id],
    );
    return rows.map((row) => row.id);
  }

  /** Levels of the folder and what is below. */
  async height(id: string): Promise<number> {
    const [row] = await this.query<{ height: number }>(
      `WITH RECURSIVE down AS (
         SELECT id, 1 AS level FROM media_folders WHERE environment_id = $1 AND id = $2
         UNION ALL SELECT c.id, level + 1 FROM down
           JOIN media_folders c ON c.environment_id = $1 AND c.parent_id = down.id)
       SELECT max(level) AS height FROM down`,
      [this.environmentId, id],
    );
    return row?.height ?? 1;
  }

  async insert(folder: StoredFolder): Promise<void> {
    await this.mapViolations(
      this.query(
        `INSERT INTO media_folders (tenant_id, environment_id, id, parent_id, name, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)`,
        [this.tenantId, this.environmentId, folder.id, folder.parentId, folder.name, folder.createdAt],
      ),
      failures,
    );
    this.#note('create', null, folder);
  }

  async save(before: StoredFolder, after: StoredFolder): Promise<void> {
    await this.mapViolations(
      this.query(
        'UPDATE media_folders SET name = $3, parent_id = $4, updated_at = $5 WHERE environment_id = $1 AND id = $2',
        [this.environmentId, before.id, after.name, after.parentId, after.updatedAt],
      ),
      failures,
    );
    this.#note('update', before, after);
  }

  /** @throws AppError 409 `folder_not_empty` */
  async remove(folder: StoredFolder): Promise<void> {
    await this.mapViolations(
      this.query('DELETE FROM media_folders WHERE environment_id = $1 AND id = $2', [
        this.environmentId,
        folder.id,
      ]),
      inUse,
    );
    this.#note('delete', folder, null);
  }

  #note(verb: AuditVerb, before: StoredFolder | null, after: StoredFolder | null): void {
    const folder = after ?? before;
    if (folder === null) return;
    const { id, name } = folder;
    this.record({
      action: `media_folder.${verb}`,
      target: { type: 'media_folder', id, name },
      before: before && { ...before },
      after: after && { ...after },
    });
  }
}

const present = (folder: ShownFolder): MediaFolder => ({
  ...folder,
  createdAt: folder.createdAt.toISOString(),
  updatedAt: folder.updatedAt.toISOString(),
});
