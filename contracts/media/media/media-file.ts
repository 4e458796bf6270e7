import { z } from 'zod';
import { limits } from '../../limits.js';

/** Bytes that are read once, as they arrive. */
export interface ByteSource {
  /** If known. */
  readonly size?: number | undefined;
  /** Called once at most. */
  open(): AsyncIterable<Uint8Array>;
}

export interface FileSource extends ByteSource {
  readonly fileName: string;
  readonly declaredType?: string | undefined;
  /** Bytes at most; undefined if unknown. A method, because a request that is repeated with other bytes is the same. */
  bytesAtMost(): number | undefined;
  /** Resolves when the request has ended as it should; rejects with the reason if it has not. */
  readonly complete: Promise<void>;
}

const isSource = (value: unknown): value is ByteSource =>
  typeof value === 'object' && value !== null && typeof (value as Partial<ByteSource>).open === 'function';

export const fileName = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: 'Name of the file.', example: 'lock.svg' });

export const duplicate = z.enum(['reuse', 'create']).optional().meta({
  description: 'What happens if the project has the file: its asset is returned, or another one is created.',
  example: 'create',
});

const content = z.base64().meta({
  description: 'The file in Base64, at most 1 MiB with the rest of the body.',
  example: 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiLz4=',
});

/**
 * REST streams a multipart part; JSON carries small files in Base64. The generator of OpenAPI has no schema for a
 * custom type.
 */
export const FileInput = z
  .union([
    z.strictObject({ fileName, content }),
    z.unknown().refine(isSource, 'must be a file') as unknown as z.ZodType<FileSource, FileSource>,
  ])
  .meta({ description: `The file, at most ${String(limits.mediaUploadBytes / 1_048_576)} MiB.` });
export type FileInput = z.infer<typeof FileInput>;

/** REST streams the body; JSON carries few bytes in Base64. */
export const BytesInput = z
  .union([
    content,
    z.unknown().refine(isSource, 'must be bytes') as unknown as z.ZodType<ByteSource, ByteSource>,
  ])
  .meta({ description: 'The next bytes of the file.' });
export type BytesInput = z.infer<typeof BytesInput>;
