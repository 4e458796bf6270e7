import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import sharp from 'sharp';
import { MediaSignatures } from '../../../src/access/media-signature.js';
import { MediaUrls } from '../../../src/features/media/media/index.js';
import { compose } from '../../../src/process/compose.js';
import { composeOptions } from '../seed-content.js';
import { withOperations, makeProject } from '../seed/open-service.js';

export const urlSecret = 'a secret of file URLs in the benchmark, longer than 32 bytes';

interface StagedPicture {
  readonly url: string;
  readonly file: string;
  /** A URL with exact sizes. */
  signed(transform: { w: number; fm: 'webp' }): string;
}

export interface Stage {
  /** About 100 KB. */
  readonly small: StagedPicture;
  /** 12 megapixels. */
  readonly large: StagedPicture;
  readonly deliveryKey: string;
}

/** A picture with the noise of a photograph. */
async function photograph(width: number, height: number, quality: number): Promise<Buffer> {
  const [w, h] = [Math.round(width / 4), Math.round(height / 4)];
  const raw = { width: w, height: h, channels: 3 } as const;
  return sharp(randomBytes(w * h * 3), { raw })
    .blur(3)
    .resize(width, height)
    .jpeg({ quality })
    .toBuffer();
}

/** Seeds a project with two pictures, stored in `directory` as the service stores them. */
export async function stage(url: string, directory: string): Promise<Stage> {
  const seeded = await withOperations(url, (client) => makeProject(client, { slug: 'bench' }, []));
  const media = { directory, secrets: [Buffer.from(urlSecret)] as const };
  const composition = await compose({ ...composeOptions(url), media });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const { receiver } = composition.services.media;
  const urls = new MediaUrls('', new MediaSignatures(media.secrets));
  const add = async (content: Buffer): Promise<StagedPicture> => {
    const { rows } = await owner.query<{ tenant_id: string; environment_id: string }>(
      "SELECT tenant_id, environment_id FROM environment_heads WHERE project_slug = 'bench'",
    );
    const { tenant_id: tenantId = '', environment_id: environmentId = '' } = rows[0] ?? {};
    await owner.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
    const received = await receiver.receive({
      tenantId,
      source: Readable.from([content]),
      fileName: 'photo.jpg',
    });
    const id = randomUUID();
    await owner.query(
      `INSERT INTO media_assets (tenant_id, project_id, environment_id, id, checksum, source_checksum, storage_key, file_name,
          mime_type, size, width, height, has_alpha, scan_status, tags, site_ids, visibility, version, created_at, created_by,
          updated_at, updated_by)
        SELECT tenant_id, project_id, environment_id, $2, $3, $4, $5, 'photo.jpg', 'image/jpeg', $6, $7, $8, false, 'skipped',
          '{}', '{}', 'public', 1, now(), '{}', now(), '{}' FROM environment_heads WHERE environment_id = $1`,
      [
        ...[environmentId, id, received.checksum, received.sourceChecksum, received.storageKey],
        ...[received.size, received.width, received.height],
      ],
    );
    const target = { projectSlug: 'bench', id, checksum: received.checksum, fileName: 'photo.jpg' };
    return {
      url: urls.of(target),
      file: path.join(directory, 'objects', received.storageKey),
      signed: (transform) => urls.signed(target, { expiresAt: new Date(Date.now() + 3_600_000), transform }),
    };
  };
  try {
    return {
      small: await add(await photograph(1200, 800, 80)),
      large: await add(await photograph(4000, 3000, 85)),
      deliveryKey: seeded.keys.delivery,
    };
  } finally {
    await owner.end();
    await composition.close();
  }
}
