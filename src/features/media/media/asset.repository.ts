import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Change, Snapshot } from '../../../persistence/work/change-log.js';
import { readableAssets } from './asset-rights.js';
import type { StoredAsset, StoredFile } from './stored-asset.js';

/** Columns of a stored asset, alias `a`. */
export const assetColumns = `a.id, a.checksum, a.source_checksum AS "sourceChecksum", a.storage_key AS "storageKey",
  a.file_name AS "fileName", a.mime_type AS "mimeType", a.size::float8 AS size, a.width, a.height, a.has_alpha AS "hasAlpha",
  a.frames, a.pages, a.duration_seconds AS "durationSeconds", a.codec, a.placeholder, a.dominant_color AS "dominantColor",
  a.metadata, a.scan_status AS "scanStatus", a.folder_id AS "folderId", a.tags, a.site_ids::text[] AS "siteIds", a.visibility,
  CASE WHEN a.focal_point_x IS NOT NULL THEN jsonb_build_object('x', a.focal_point_x, 'y', a.focal_point_y) END AS "focalPoint",
  a.version, a.created_at AS "createdAt", a.created_by AS "createdBy", a.updated_at AS "updatedAt", a.updated_by AS "updatedBy"`;

/** JSON `{locale: values}` of the asset `a`, for the locales of a parameter. */
export const overlaysSql = (
  locales: string,
): string => `(SELECT jsonb_object_agg(l.locale, jsonb_build_object(
    'altText', l.alt_text, 'title', l.title, 'description', l.description))
  FROM media_asset_locales l WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.locale = ANY(${locales}::text[]))`;

/** Entries and overlays that use the asset `a`, at most `maximum`. */
export const usesSql = (maximum: number): string => `(SELECT count(*)::int FROM (
    SELECT e.id FROM (
      SELECT k.entry_id FROM entry_links k WHERE k.environment_id = a.environment_id AND k.target_id = a.id
      UNION SELECT p.entry_id FROM published_media p WHERE p.environment_id = a.environment_id AND p.asset_id = a.id) AS used
      JOIN entries e ON e.environment_id = a.environment_id AND e.id = used.entry_id AND e.deleted_at IS NULL
    UNION ALL SELECT o.asset_id FROM media_asset_locales o
      WHERE o.environment_id = a.environment_id AND o.override_asset_id = a.id
    LIMIT ${String(maximum)}) AS uses)`;

type AssetPair =
  | { readonly before: StoredAsset | null; readonly after: StoredAsset }
  | { readonly before: StoredAsset; readonly after: null };

const fileKeys = [
  'checksum',
  'sourceChecksum',
  'storageKey',
  'mimeType',
  'size',
  'width',
  'height',
  'hasAlpha',
  'frames',
  'pages',
  'durationSeconds',
  'codec',
  'placeholder',
  'dominantColor',
  'metadata',
  'scanStatus',
  'fileName',
] as const satisfies readonly (keyof StoredFile)[];

/** The file of an asset without the rest. */
export const fileOf = (asset: StoredFile): StoredFile =>
  Object.fromEntries(fileKeys.map((key) => [key, asset[key]])) as unknown as StoredFile;

const verbs = { create: 'media.create', update: 'media.update', delete: 'media.delete' } as const;
const folderMissing = {
  media_assets_folder_fkey: () => new AppError('media_folder_not_found', { path: ['folderId'] }),
};

const written = `checksum = $3, source_checksum = $4, storage_key = $5, mime_type = $6, size = $7, width = $8, height = $9,
  has_alpha = $10, frames = $11, pages = $12, duration_seconds = $13, codec = $14, placeholder = $15, dominant_color = $16,
  metadata = $17, scan_status = $18, file_name = $19, folder_id = $20, tags = $21, site_ids = $22::uuid[], visibility = $23,
  focal_point_x = $24, focal_point_y = $25, version = $26, updated_at = $27, updated_by = $28`;

/** The only place that writes assets and their versions. */
export class AssetRepository extends Repository {
  /** @throws AppError 404 `media_not_found`, also if the caller may not read it */
  find(id: string): Promise<StoredAsset> {
    return this.#one(id, '');
  }

  /** Locks the asset until the unit of work ends. */
  lock(id: string): Promise<StoredAsset> {
    return this.#one(id, 'FOR UPDATE');
  }

  /** Readable assets by id, locked in order. */
  async lockAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredAsset>> {
    const rows = await this.#load(ids.filter(isUuid), 'FOR UPDATE');
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Serializes uploads of the same file, so that the second one finds the asset of the first. */
  async lockFile(sourceChecksum: string): Promise<void> {
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked', [
      `media:${this.environmentId}:${sourceChecksum}`,
    ]);
  }

  /** Readable assets that were made from the same file, oldest first. */
  async findByFile(sourceChecksum: string): Promise<StoredAsset[]> {
    const bind: unknown[] = [this.environmentId, sourceChecksum];
    return this.query<StoredAsset>(
      `SELECT ${assetColumns} FROM media_assets a WHERE a.environment_id = $1 AND a.source_checksum = $2
         AND ${this.#readable(bind)} ORDER BY a.created_at, a.id LIMIT 100`,
      bind,
    );
  }

  /** The readable asset with a storage key. */
  async findByStorageKey(storageKey: string): Promise<StoredAsset | undefined> {
    const bind: unknown[] = [this.environmentId, storageKey];
    const [found] = await this.query<StoredAsset>(
      `SELECT ${assetColumns} FROM media_assets a WHERE a.storage_key = $2 AND a.environment_id = $1
         AND ${this.#readable(bind)} ORDER BY a.created_at, a.id LIMIT 1`,
      bind,
    );
    return found;
  }

  /** @param shown more values for the record */
  async insert(asset: StoredAsset, shown: Snapshot): Promise<void> {
    await this.mapViolations(
      this.query(
        `INSERT INTO media_assets (environment_id, id, checksum, source_checksum, storage_key, mime_type, size, width, height,
           has_alpha, frames, pages, duration_seconds, codec, placeholder, dominant_color, metadata, scan_status, file_name,
           folder_id, tags, site_ids, visibility, focal_point_x, focal_point_y, version, updated_at, updated_by, tenant_id,
           project_id, created_at, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22::uuid[],
           $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)`,
        [
          ...this.#values(asset),
          this.tenantId,
          this.projectId,
          asset.createdAt,
          JSON.stringify(asset.createdBy),
        ],
      ),
      folderMissing,
    );
    await this.#keepVersion(asset);
    this.#note({ before: null, after: asset }, shown);
  }

  async save(before: StoredAsset, after: StoredAsset): Promise<void> {
    await this.mapViolations(
      this.query(
        `UPDATE media_assets SET ${written} WHERE environment_id = $1 AND id = $2`,
        this.#values(after),
      ),
      folderMissing,
    );
    if (before.checksum !== after.checksum || before.sourceChecksum !== after.sourceChecksum)
      await this.#keepVersion(after);
    this.#note({ before, after });
  }

  /** Overlays, tags and former files go with it. */
  async remove(asset: StoredAsset): Promise<void> {
    await this.query('DELETE FROM media_assets WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      asset.id,
    ]);
    this.#note({ before: asset, after: null });
  }

  /** The URL is not recorded. */
  noteSigned({ id, fileName }: StoredAsset, after: Snapshot): void {
    this.record({ action: 'media.sign', target: { type: 'media', id, name: fileName }, before: null, after });
  }

  /** Sees uses by transactions that the lock waited for. */
  async isUsed(id: string): Promise<boolean> {
    const [row] = await this.query<{ isUsed: boolean }>(
      'SELECT is_used AS "isUsed" FROM media_assets WHERE environment_id = $1 AND id = $2',
      [this.environmentId, id],
    );
    return row?.isUsed === true;
  }

  #note(pair: AssetPair, shown: Snapshot = {}): void {
    const { id, fileName, siteIds } = pair.after ?? pair.before;
    const verb = pair.before === null ? 'create' : pair.after === null ? 'delete' : 'update';
    const change: Change = {
      action: verbs[verb],
      target: { type: 'media', id, name: fileName },
      before: pair.before && snapshotOf(pair.before),
      after: pair.after && { ...snapshotOf(pair.after), ...shown },
      siteId: siteIds.length === 1 ? siteIds[0] : null,
    };
    this.record(change);
  }

  async #keepVersion(asset: StoredAsset): Promise<void> {
    await this.query(
      `INSERT INTO media_asset_versions (tenant_id, environment_id, asset_id, version, checksum, storage_key, file, created_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        this.tenantId,
        this.environmentId,
        asset.id,
        asset.version,
        asset.checksum,
        asset.storageKey,
        JSON.stringify(fileOf(asset)),
        asset.updatedAt,
        JSON.stringify(asset.updatedBy),
      ],
    );
  }

  async #one(id: string, lock: string): Promise<StoredAsset> {
    const [row] = isUuid(id) ? await this.#load([id], lock) : [];
    if (row === undefined) throw new AppError('media_not_found');
    return row;
  }

  #load(ids: readonly string[], lock: string): Promise<StoredAsset[]> {
    const bind: unknown[] = [this.environmentId, [...ids]];
    return this.query<StoredAsset>(
      `SELECT ${assetColumns} FROM media_assets a WHERE a.environment_id = $1 AND a.id = ANY($2::uuid[])
         AND ${this.#readable(bind)} ORDER BY a.id ${lock}`,
      bind,
    );
  }

  #readable(bind: unknown[]): string {
    return readableAssets(this.bound.scope, (value) => `$${String(bind.push(value))}`) ?? 'true';
  }

  #values(asset: StoredAsset): unknown[] {
    return [
      this.environmentId,
      asset.id,
      asset.checksum,
      asset.sourceChecksum,
      asset.storageKey,
      asset.mimeType,
      asset.size,
      asset.width,
      asset.height,
      asset.hasAlpha,
      asset.frames,
      asset.pages,
      asset.durationSeconds,
      asset.codec,
      asset.placeholder,
      asset.dominantColor,
      JSON.stringify(asset.metadata),
      asset.scanStatus,
      asset.fileName,
      asset.folderId,
      [...asset.tags],
      [...asset.siteIds],
      asset.visibility,
      asset.focalPoint?.x ?? null,
      asset.focalPoint?.y ?? null,
      asset.version,
      asset.updatedAt,
      JSON.stringify(asset.updatedBy),
    ];
  }
}

/** Without the technical data, which follow from the checksum of the file. */
function snapshotOf(asset: StoredAsset): Snapshot {
  const { metadata: _metadata, placeholder: _placeholder, dominantColor: _color, ...shown } = asset;
  return shown;
}
