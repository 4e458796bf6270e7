import { z } from 'zod';
import { limits } from '../../limits.js';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { EntryReference } from '../../entries/entries/entry-reference.js';

/** Longest side of a rendition, in pixels. */
export const RENDITION_SIDE = 4000;

const fits = ['fill', 'pad', 'scale', 'crop', 'thumb', 'cover', 'contain'] as const;
const gravities = [
  'center',
  'top',
  'right',
  'bottom',
  'left',
  'top_left',
  'top_right',
  'bottom_left',
  'bottom_right',
  'face',
  'faces',
] as const;
const imageFormats = ['jpg', 'png', 'webp', 'avif', 'gif'] as const;

const side = z.int().min(1).max(RENDITION_SIDE);
const pixels = z.int().min(0).max(100_000);
const fraction = z.number().min(0).max(1);

/** How a picture is transformed (rule media/renditions). The names are those of its query parameters. */
export const MediaTransform = z
  .strictObject({
    w: side.optional().describe('Width in pixels.'),
    h: side.optional().describe('Height in pixels.'),
    fit: z
      .enum(fits)
      .optional()
      .describe('How the picture fits into width and height. Unset: it is scaled to fit inside.'),
    f: z.enum(gravities).optional().describe('Part of the picture that a crop keeps; face is center.'),
    fm: z.enum(imageFormats).optional().describe('Format. Unset: that of the file.'),
    q: z.int().min(1).max(100).optional().describe('Quality of lossy formats.'),
    dpr: z.number().min(1).max(3).optional().describe('Multiplies width and height.'),
    bg: z
      .string()
      .regex(/^rgb:[0-9a-fA-F]{6}$/)
      .optional()
      .describe('Background color of padding and transparency.'),
    fl: z.literal('progressive').optional().describe('Progressive JPEG.'),
    auto: z.literal('format').optional().describe('The best format that the client accepts.'),
    fp: z
      .strictObject({ x: fraction, y: fraction })
      .optional()
      .describe('Focal point of a crop. Unset: that of the asset.'),
    rect: z
      .strictObject({ x: pixels, y: pixels, w: pixels.min(1), h: pixels.min(1) })
      .optional()
      .describe('Part of the upright original, in pixels.'),
  })
  .meta({ id: 'MediaTransform' });

export type MediaTransform = z.output<typeof MediaTransform>;

export const MediaVersion = z
  .object({
    versionNum: z.int().meta({ description: 'Version of the asset that brought the file.', example: 1 }),
    isCurrent: z.boolean(),
    fileName: z.string(),
    mimeType: z.string(),
    size: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    checksum: z.string(),
    createdAt: Timestamp,
    createdBy: Actor,
  })
  .meta({ id: 'MediaVersion', description: 'A file that an asset has had.' });
export type MediaVersion = z.infer<typeof MediaVersion>;

export const MediaReference = EntryReference.extend({
  inDraft: z.boolean(),
  inPublished: z.boolean(),
}).meta({ id: 'MediaReference', description: 'A field that uses the asset.' });
export type MediaReference = z.infer<typeof MediaReference>;

export const MediaBulkAction = z
  .enum(['delete', 'move', 'tag', 'untag'])
  .meta({ description: 'Action applied to each asset.', example: 'tag' });
export type MediaBulkAction = z.infer<typeof MediaBulkAction>;

const MediaBulkItem = z
  .object({
    assetId: z.string(),
    ok: z.boolean(),
    error: z.string().optional(),
    message: z.string().optional(),
    details: z.unknown().optional(),
    version: z.int().optional(),
  })
  .meta({ id: 'MediaBulkItem', description: 'Outcome for one asset.' });
export type MediaBulkItem = z.infer<typeof MediaBulkItem>;

/** One item per asset, in the order of the request. */
export const MediaBulkResult = z
  .object({
    action: MediaBulkAction,
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(MediaBulkItem),
  })
  .meta({ id: 'MediaBulkResult', description: 'Outcome for each asset.' });
export type MediaBulkResult = z.infer<typeof MediaBulkResult>;

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
