import { countPages } from '../../../infrastructure/files/count-pages.js';
import { inspectRecording } from '../../../infrastructure/files/inspect-recording.js';
import type { ImageWork } from '../../../infrastructure/image-work/image-work.js';
import type { ImageHeader } from '../../../infrastructure/images/inspect-image.js';
import { isDecoded, isRecording, type FileType } from './file-types.js';

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

interface Inspection {
  readonly file: string;
  readonly type: FileType;
  readonly header: ImageHeader | undefined;
  readonly images: ImageWork;
}

/** @throws DamagedFile for a picture that cannot be decoded whole */
export async function inspectFile({ file, type, header, images }: Inspection): Promise<FileFacts> {
  if (isDecoded(type))
    return { ...nothing, ...(await images.inspect(file)), metadata: header?.metadata ?? {} };
  if (isRecording(type)) return { ...nothing, ...(await inspectRecording(file)) };
  if (type === 'application/pdf') return { ...nothing, pages: await countPages(file) };
  return nothing;
}
