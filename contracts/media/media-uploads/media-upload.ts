import { z } from 'zod';
import { warningShape } from '../../envelopes.js';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { MediaAsset } from '../media/media-asset.js';

const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

const FormTarget = z.object({
  method: z.literal('POST'),
  url: z
    .string()
    .meta({ example: 'https://media.s3.example.com/' })
    .meta({ description: 'URL that takes the file.' }),
  fields: z.record(z.string(), z.string()).meta({
    description: 'Fields of the form, before its last part `file`.',
    example: { key: `uploads/${sampleId}/${sampleId}`, 'Content-Type': 'video/mp4' },
  }),
});

const TusTarget = z.object({
  method: z.literal('PATCH'),
  url: z.string().meta({
    description: 'A tus 1.0 upload. It needs the same credential.',
    example: `https://www.example.com/api/v1/projects/demo/media/uploads/${sampleId}`,
  }),
});

/** Rule media/large-uploads. */
export const MediaUpload = z
  .object({
    id: z.string(),
    fileName: z.string().meta({ example: 'regatta.mp4' }),
    mimeType: z.string().meta({ description: 'As declared.', example: 'video/mp4' }),
    size: z.int().meta({ description: 'Size of the file in bytes.', example: 734_003_200 }),
    checksum: z.string().nullable().meta({ description: 'SHA-256 of the file, if it was given.' }),
    status: z.enum(['open', 'completed']).meta({ description: '`completed` once the asset exists.' }),
    offset: z.int().nullable().meta({
      description: 'Bytes that have arrived. Null if they are sent to the storage directly.',
      example: 33_554_432,
    }),
    replaces: z.string().nullable().meta({ description: 'The asset whose file this one replaces.' }),
    assetId: z.string().nullable().meta({ description: 'The asset of a completed upload.' }),
    upload: z
      .union([FormTarget, TusTarget])
      .nullable()
      .meta({ description: 'Where the bytes are sent: as a form, or in parts. Null once completed.' }),
    expiresAt: Timestamp,
    createdAt: Timestamp,
    createdBy: Actor,
  })
  .meta({ id: 'MediaUpload', description: 'A large file that is being uploaded.' });
export type MediaUpload = z.infer<typeof MediaUpload>;

export const CompletedUpload = z.object({
  data: MediaAsset,
  meta: z
    .object({
      duplicate: z.literal(true).optional().meta({
        description:
          'The project had an asset with this file, or the replaced asset had it: nothing has changed.',
      }),
      warnings: z.array(warningShape).optional().meta({
        description: 'What was removed from a drawing, and what was not applied to an asset that existed.',
      }),
      replaced: z.literal(true).optional().meta({ description: 'The asset has another file now.' }),
    })
    .optional()
    .meta({ description: 'Set if no asset was created, or if there are warnings.' }),
});
export type CompletedUpload = z.infer<typeof CompletedUpload>;
