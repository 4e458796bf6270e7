import { countPages } from '../../../infrastructure/files/count-pages.js';
import { inspectRecording } from '../../../infrastructure/files/inspect-recording.js';
import { inspectImage, type ImageHeader } from '../../../infrastructure/images/inspect-image.js';
import { readExif } from '../../../infrastructure/images/read-exif.js';
import { isImage, isRecording, type FileType } from './file-types.js';

/** Null where the type has no such fact. */
export interface FileFacts {
  /** Upright. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasAlpha: boolean | null;
  readonly frames: number | null;
  /** Thumbhash in base64. */
  readonly placeholder: string | null;
  /** `#rrggbb`. */
  readonly dominantColor: string | null;
  readonly durationSeconds: number | null;
  readonly codec: string | null;
  readonly pages: number | null;
  /** EXIF without places; for management only. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

const nothing: FileFacts = {
  width: null,
  height: null,
  hasAlpha: null,
  frames: null,
  placeholder: null,
  dominantColor: null,
  durationSeconds: null,
  codec: null,
  pages: null,
  metadata: {},
};

/** @throws DamagedFile for a picture that cannot be decoded whole */
export async function inspectFile(
  file: string,
  type: FileType,
  header: ImageHeader | undefined,
): Promise<FileFacts> {
  if (isImage(type)) {
    const metadata = header === undefined ? {} : await readExif(header);
    return { ...nothing, ...(await inspectImage(file)), metadata };
  }
  if (isRecording(type)) return { ...nothing, ...(await inspectRecording(file)) };
  if (type === 'application/pdf') return { ...nothing, pages: await countPages(file) };
  return nothing;
}
