import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReceivedFile } from '../../../src/features/media/media/receive/receive-file.js';
import type { TestApp } from '../../support/app.js';
import { createProject, type TestProject } from '../../support/factories/project.js';

export interface StoredAsset extends ReceivedFile {
  readonly id: string;
  /** Relative to the service. */
  readonly url: string;
}

export interface AssetOptions {
  readonly fileName?: string;
  readonly visibility?: 'public' | 'private';
  readonly focalPoint?: { readonly x: number; readonly y: number };
  readonly scanStatus?: string;
}

/** A project and its files, registered beside the management interface. */
export class Library {
  private constructor(
    readonly app: TestApp,
    readonly project: TestProject,
    private readonly environmentId: string,
  ) {}

  static async open(app: TestApp): Promise<Library> {
    const project = await createProject(app);
    const [head] = await app.rows<{ environment_id: string }>(
      null,
      'SELECT environment_id FROM environment_heads WHERE project_slug = $1',
      [project.slug],
    );
    if (head === undefined) throw new Error('no environment');
    return new Library(app, project, head.environment_id);
  }

  receive(content: Buffer, fileName: string): Promise<ReceivedFile> {
    const { receiver } = this.app.composition.services.media;
    return receiver.receive({ tenantId: this.project.tenantId, source: Readable.from([content]), fileName });
  }

  async add(content: Buffer, options: AssetOptions = {}): Promise<StoredAsset> {
    const file = await this.receive(content, options.fileName ?? 'file');
    const id = randomUUID();
    const { focalPoint, visibility = 'public', scanStatus = file.scanStatus } = options;
    await this.app.rows(
      this.project.tenantId,
      `INSERT INTO media_assets (tenant_id, project_id, environment_id, id, checksum, source_checksum, storage_key, file_name,
          mime_type, size, width, height, has_alpha, scan_status, tags, site_ids, visibility, focal_point_x, focal_point_y,
          version, created_at, created_by, updated_at, updated_by, frames)
        SELECT $1, project_id, environment_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '{}', '{}', $13, $14, $15, 1,
          now(), '{}', now(), '{}', $17::integer FROM environment_heads WHERE environment_id = $16`,
      [
        ...[this.project.tenantId, id, file.checksum, file.sourceChecksum, file.storageKey, file.fileName],
        ...[file.mimeType, file.size, file.width, file.height, file.hasAlpha, scanStatus, visibility],
        ...[focalPoint?.x ?? null, focalPoint?.y ?? null, this.environmentId, file.frames],
      ],
    );
    const { urls } = this.app.composition.services.media;
    const { checksum, fileName } = file;
    return { ...file, id, url: urls.of({ projectSlug: this.project.slug, id, checksum, fileName }) };
  }

  /** Changes the row as the management interface would. */
  async set({ id }: StoredAsset, changes: string, values: unknown[] = []): Promise<void> {
    const sql = `UPDATE media_assets SET ${changes}, updated_at = now() WHERE id = $1`;
    await this.app.rows(this.project.tenantId, sql, [id, ...values]);
  }

  get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.app.baseUrl}${url}`, { headers, method, redirect: 'manual' });
  }
}

export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

export const errorOf = async (response: Response): Promise<[number, unknown]> => {
  const body = (await response.json()) as { error?: unknown };
  return [response.status, body.error];
};
