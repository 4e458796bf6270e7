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
