import { AppError } from '../../../contracts/errors.js';
import type { Catalog } from '../../content/catalog.js';
import { fileRefusal } from '../../features/media/index.js';
import { exportPath, type ExportAddress } from '../../features/translations/index.js';
import { isUuid } from '../../infrastructure/ids.js';
import { exportKey } from '../../infrastructure/storage/media-storage.js';
import type { Services } from '../../procedures/index.js';
import type { Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { fileSecurity } from './file-headers.js';

export const ARCHIVE_ROUTE = '/media/{projectSlug}/exports/{jobId}/{fileName}';

const PATH = /^\/media\/([a-z0-9-]{1,200})\/exports\/([0-9a-f-]{36})\/([A-Za-z0-9-]{1,300}\.zip)$/;

interface ArchiveAddress extends ExportAddress {
  readonly query: URLSearchParams;
}

/** Undefined if it cannot be the URL of an archive. */
export function archiveIn(url: string): ArchiveAddress | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const [, projectSlug = '', jobId = '', fileName = ''] = PATH.exec(path) ?? [];
  return isUuid(jobId) ? { projectSlug, jobId, fileName, query: new URLSearchParams(query) } : undefined;
}

/**
 * The archive of an export, for everyone who has its signed URL.
 * @throws AppError 403 `invalid_signature`, 404 `media_not_found`, 503 `storage_unavailable`
 */
export async function archiveAnswer(
  exchange: Exchange,
  address: ArchiveAddress,
  { services, catalog }: { readonly services: Services; readonly catalog: Catalog },
): Promise<Answer> {
  const { jobId, fileName, query } = address;
  const { storage, urls } = services.media;
  if (!urls.signatures.isValid(exportPath(address), query, services.clock()))
    throw new AppError('invalid_signature');
  await services.keyActivity.assertActive(query.get('key'), catalog.data, 'invalid_signature');
  const found = await storage.read(exportKey(catalog.data.tenant.id, jobId)).catch((error: unknown) => {
    throw fileRefusal(error);
  });
  if (found === undefined) throw new AppError('media_not_found');
  return {
    status: 200,
    shared: fileSecurity(exchange.sharedHeaders),
    headers: [
      'Cache-Control',
      'private, no-store',
      'Content-Disposition',
      `attachment; filename="${fileName}"`,
    ],
    body: { stream: found.stream, isStored: true, mediaType: 'application/zip', length: found.size },
  };
}
