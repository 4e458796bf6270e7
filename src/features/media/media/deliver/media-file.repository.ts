import type { ReadPool, StatementReader } from '../../../../persistence/connections/read-pool.js';
import type { AddressedFile } from './media-urls.js';

/** A file as byte delivery knows it. */
export interface MediaFile extends AddressedFile {
  readonly environmentId: string;
  readonly storageKey: string;
  readonly mimeType: string;
  readonly size: number;
  /** Upright; null without pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasAlpha: boolean | null;
  /** More than one: an animation. */
  readonly frames: number | null;
  readonly isPrivate: boolean;
  /** 0 to 1; the center unless set. */
  readonly focalPoint: { readonly x: number; readonly y: number };
}

interface MediaFileRow {
  readonly environmentId: string;
  readonly checksum: string;
  readonly storageKey: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasAlpha: boolean | null;
  readonly frames: number | null;
  readonly isPrivate: boolean;
  readonly focalX: number | null;
  readonly focalY: number | null;
}

/** Files that await a scan, or failed it, are not visible to readers. */
const findFiles = {
  name: 'find_media_files',
  text: `SELECT a.environment_id AS "environmentId", a.checksum, a.storage_key AS "storageKey", a.file_name AS "fileName",
      a.mime_type AS "mimeType", a.size, a.width, a.height, a.has_alpha AS "hasAlpha", a.frames,
      a.visibility = 'private' AS "isPrivate",
      a.focal_point_x AS "focalX", a.focal_point_y AS "focalY"
    FROM environment_heads h JOIN media_assets a ON a.environment_id = h.environment_id AND a.id = $2
    WHERE h.project_slug = $1 ORDER BY h.is_default DESC, a.updated_at DESC`,
};

/** Reads files of all environments of a project. */
export class MediaFileReader {
  constructor(private readonly pool: StatementReader) {}

  /** The default environment first. */
  async find(projectSlug: string, id: string): Promise<MediaFile[]> {
    const rows = await this.pool.run<MediaFileRow>(findFiles, [projectSlug, id]);
    return rows.map(({ focalX, focalY, size, ...row }) => ({
      ...row,
      projectSlug,
      id,
      size: Number(size),
      focalPoint: { x: focalX ?? 0.5, y: focalY ?? 0.5 },
    }));
  }
}

/** Longer than any rendition takes. */
const SECONDS = 60;

const claim = {
  name: 'claim_rendition',
  text: `INSERT INTO rendition_claims (key, claimed_until) VALUES ($1, now() + make_interval(secs => ${String(SECONDS)}))
    ON CONFLICT (key) DO UPDATE SET claimed_until = excluded.claimed_until WHERE rendition_claims.claimed_until < now()
    RETURNING key`,
};
const release = {
  name: 'release_rendition',
  text: 'DELETE FROM rendition_claims WHERE key = $1 RETURNING key',
};

/** Decides which process makes a rendition. */
export class RenditionClaims {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  /** False while another process has it. */
  async claim(key: string): Promise<boolean> {
    return (await this.pool.run(claim, [key])).length === 1;
  }

  async release(key: string): Promise<void> {
    await this.pool.run(release, [key]);
  }
}
