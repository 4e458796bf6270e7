import { Readable } from 'node:stream';
import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { NeighbourFailure, type Neighbour } from '../../../../infrastructure/neighbours/neighbour.js';
import { DownloadFailure } from '../../../../infrastructure/url-download.js';
import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import type { ReceivedStoredFile } from '../stored-asset.js';
import { createAsset, type UploadedAsset, type UploadServices } from './upload-asset.js';

/** Fetches files of other servers. */
export interface ImportServices extends UploadServices {
  readonly downloads: { open(url: string, maximumBytes: number): Promise<Readable> };
  /** Bounds the downloads at once. */
  readonly imports: Pick<Neighbour, 'call'>;
}

const maximumBytes = limits.mediaUploadBytes;

/** The last segment of the path, as it is read. */
function fileNameIn(url: string): string {
  const segment = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment).slice(0, limits.urlLength);
  } catch {
    return segment;
  }
}

function importRefusal(error: unknown): unknown {
  if (error instanceof NeighbourFailure)
    return error.reason === 'busy'
      ? new AppError('service_unavailable', { reason: 'too_many_imports' })
      : new AppError('import_failed', { reason: 'timeout' });
  if (!(error instanceof DownloadFailure)) return error;
  const { kind, reason, statusCode } = error;
  if (reason === 'too_large') return new AppError('payload_too_large', { maximumBytes });
  if (kind === 'refused') return new AppError('import_url_refused', { path: ['url'], reason });
  return new AppError('import_failed', { reason, ...(statusCode !== undefined && { statusCode }) });
}

async function download(
  { downloads, receiver }: ImportServices,
  { url, ...file }: { readonly url: string; readonly fileName: string; readonly tenantId: string },
): Promise<ReceivedStoredFile> {
  const source = await downloads.open(url, maximumBytes);
  return receiver.receive({ ...file, source, maximumBytes });
}

/** The type is that of the content, whatever the server declares. */
export function importAsset(
  inPart: RunPart,
  { projectSlug: _project, url, fileName = fileNameIn(url), ...request }: InputOf<typeof media.importUrl>,
  services: ImportServices,
): Promise<UploadedAsset> {
  const receive = (tenantId: string): Promise<ReceivedStoredFile> =>
    services.imports
      .call(() => download(services, { url, fileName, tenantId }))
      .catch((error: unknown) => {
        throw importRefusal(error);
      });
  const { urls, quota } = services;
  return createAsset(inPart, request, { urls, quota, receive });
}

/** An image that a text shows. */
export interface ImageToImport {
  /** A URL, or the bytes as a `data:` URL. */
  readonly src: string;
  readonly alt: string;
  readonly locale?: string | undefined;
}

/** The bytes of a `data:` URL. */
function dataOf(src: string): Buffer | undefined {
  const [, base64] = /^data:image\/[a-z0-9.+-]{1,50};base64,([A-Za-z0-9+/=\s]+)$/i.exec(src) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

async function imageFile(
  services: ImportServices,
  { src, tenantId }: { readonly src: string; readonly tenantId: string },
): Promise<ReceivedStoredFile> {
  const data = dataOf(src);
  const file =
    data === undefined
      ? await download(services, { url: src, fileName: fileNameIn(src), tenantId })
      : await services.receiver.receive({
          tenantId,
          maximumBytes,
          source: Readable.from([data]),
          fileName: 'image',
        });
  if (!file.mimeType.startsWith('image/')) throw new AppError('import_failed', { reason: 'not_an_image' });
  return file;
}

/**
 * Creates the asset of an image that a text shows, unless the project has it.
 * @throws AppError of {@link importAsset}; 422 `import_failed` for a file that is no image
 */
export async function importImage(
  inPart: RunPart,
  { src, alt, locale }: ImageToImport,
  services: ImportServices,
): Promise<string> {
  const receive = (tenantId: string): Promise<ReceivedStoredFile> =>
    services.imports
      .call(() => imageFile(services, { src, tenantId }))
      .catch((error: unknown) => {
        throw importRefusal(error);
      });
  const { urls, quota } = services;
  const altText = alt.trim() === '' ? undefined : alt.slice(0, limits.mediaAltTextLength);
  const request = { ...(altText !== undefined && { altText }), ...(locale !== undefined && { locale }) };
  const { data } = await createAsset(inPart, request, { urls, quota, receive });
  return data.id;
}
