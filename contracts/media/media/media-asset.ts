import { z } from 'zod';
import { warningShape } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, LocaleCode, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const sampleUrl = `https://www.example.com/media/demo/${sampleId}/5994471abb01/lock.jpg`;

const FocalPoint = z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).meta({
  description: 'The point that crops keep, as fractions of width and height.',
  example: { x: 0.5, y: 0.4 },
});
export type FocalPoint = z.infer<typeof FocalPoint>;

export const Visibility = z
  .enum(['public', 'private'])
  .meta({ description: 'The file of a `private` asset is served to signed URLs only.', example: 'public' });
export type Visibility = z.infer<typeof Visibility>;

const ScanStatus = z
  .enum(['pending', 'clean', 'infected', 'failed', 'skipped'])
  .meta({ description: 'Result of the virus scan. `pending` and `infected` assets are not delivered.' });

/** What inspection finds in a file; null where the type has no such property. */
const fileShape = {
  fileName: z.string().meta({ example: 'lock.jpg' }),
  mimeType: z.string().meta({ description: 'Determined from the content.', example: 'image/jpeg' }),
  size: z.int().meta({ description: 'Size in bytes.', example: 48_213 }),
  width: z.int().nullable().meta({ description: 'Pixels, after orientation.', example: 1600 }),
  height: z.int().nullable().meta({ description: 'Pixels, after orientation.', example: 900 }),
};

/** The values of a locale, after fallback. */
const overlayShape = {
  locale: z.string().meta({ description: 'The requested locale; values can come from its fallbacks.' }),
  altText: z.string().nullable().meta({ example: 'A boat in the upper lock' }),
  title: z.string().nullable().meta({ description: 'Title of the asset.' }),
  description: z.string().nullable().meta({ description: 'Description of the asset.' }),
};

/** Rules media/assets and media/urls. */
const deliveredShape = {
  ...fileShape,
  url: z.string().meta({ description: 'URL of the file. It changes with the file.', example: sampleUrl }),
  focalPoint: FocalPoint.nullable(),
  placeholder: z.string().nullable().meta({
    description: 'A thumbhash in Base64. Null in delivery for private assets.',
    example: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  }),
  dominantColor: z
    .string()
    .nullable()
    .meta({ description: 'Null in delivery for private assets.', example: '#7a9468' }),
  ...overlayShape,
  updatedAt: Timestamp,
};

export const DeliveryMedia = z
  .object({ id: z.string(), ...deliveredShape })
  .meta({ id: 'DeliveryMedia', description: 'An asset with the values of a locale.' });
export type DeliveryMedia = z.infer<typeof DeliveryMedia>;

/** Rules media/assets and media/urls. */
export const MediaAsset = z
  .object({
    id: z.string(),
    ...deliveredShape,
    durationSeconds: z.number().nullable(),
    codec: z.string().nullable(),
    pages: z.int().nullable().meta({ description: 'Pages of the document.' }),
    frames: z.int().nullable(),
    hasAlpha: z.boolean().nullable(),
    metadata: z.record(z.string(), z.unknown()).meta({
      description: 'EXIF data without places. It is removed from the file that is served.',
      example: {},
    }),
    checksum: z.string().meta({
      description: 'SHA-256 of the stored file.',
      example: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
    }),
    sourceChecksum: z.string().meta({
      description: 'SHA-256 of the file as it was uploaded.',
      example: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
    }),
    storageKey: z.string(),
    scanStatus: ScanStatus,
    visibility: Visibility,
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    siteIds: z.array(z.string()).meta({ description: 'Sites the asset belongs to. Empty means every site.' }),
    version: z.int().meta({ description: 'Increases with every change of the asset.', example: 1 }),
    usageCount: z.int().meta({
      description: `Entries and overlays that use the asset, counted up to ${String(limits.mediaUsesCounted)}.`,
      example: 0,
    }),
    createdAt: Timestamp,
    createdBy: Actor,
    updatedBy: Actor,
  })
  .meta({ id: 'Asset', description: 'A file with its properties and the values of a locale.' });
export type MediaAsset = z.infer<typeof MediaAsset>;

export const UploadedAsset = z.object({
  data: MediaAsset,
  meta: z
    .object({
      duplicate: z.literal(true).optional().meta({
        description: 'The project already had an asset with this file, which is returned.',
      }),
      warnings: z.array(warningShape).optional().meta({
        description: 'What was removed from a drawing, and what was not applied to an asset that existed.',
      }),
    })
    .optional()
    .meta({ description: 'Set if the asset existed, or if there are warnings.' }),
});

/** Rule media/overlays. */
export const MediaAssetLocale = z
  .object({
    assetId: z.string(),
    locale: z.string(),
    altText: z.string().nullable(),
    title: z.string().nullable().meta({ description: 'Title of the asset in the locale.' }),
    description: z.string().nullable().meta({ description: 'Description of the asset in the locale.' }),
    overrideStorageKey: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'MediaAssetLocale', description: 'The own values of one locale of an asset.' });
export type MediaAssetLocale = z.infer<typeof MediaAssetLocale>;

/** Specification section 8. Null clears a value. */
export const overlayChange = {
  altText: z.string().max(limits.mediaAltTextLength).nullish().meta({
    description: 'Alternative text for readers who do not see the file.',
    example: 'A boat in the upper lock',
  }),
  title: z.string().max(limits.mediaTitleLength).nullish().meta({ description: 'Title of the file.' }),
  description: z
    .string()
    .max(limits.mediaDescriptionLength)
    .nullish()
    .meta({ description: 'Description of the file.' }),
};

const Tag = z
  .string()
  .trim()
  .min(1)
  .max(limits.mediaTagLength)
  .refine((tag) => !tag.includes(','), 'must not contain a comma')
  .meta({ pattern: String.raw`^[^,]*[^,\s][^,]*$` });

export const Tags = z.array(Tag).max(limits.mediaTags);

export const assetKeys = {
  folderId: Id.nullish().meta({ description: 'Folder. Null means none.' }),
  tags: Tags.optional().meta({ description: 'Tags of the asset.', example: ['harbour'] }),
  siteIds: z
    .array(Id)
    .max(limits.mediaSites)
    .optional()
    .meta({ description: 'Sites the asset belongs to. Empty means every site.' }),
  focalPoint: FocalPoint.nullish(),
  visibility: Visibility.optional(),
};

export const assetLocale = LocaleCode.optional().meta({
  description:
    "Locale of the values. Defaults to the tenant's default locale. Fallbacks apply field by field.",
  example: 'en-US',
});
