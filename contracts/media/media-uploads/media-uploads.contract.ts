import { z } from 'zod';
import { dataOf, Deleted } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { expectedVersion, Id, inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { assetKeys, assetLocale, overlayChange } from '../media/media-asset.js';
import { BytesInput, fileName } from '../media/media-file.js';
import { CompletedUpload, MediaUpload } from './media-upload.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Media'];
const id = inPath('Id of the upload.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

/** Large files, whose bytes arrive in several requests or in the storage directly (rule media/large-uploads). */
export const mediaUploads = {
  create: management({
    openapi: managementRoute('POST', '/media/uploads', {
      summary: 'Start an upload',
      description: [
        'Starts the upload of a file of up to 5 GiB. `upload` says where the bytes are sent: with `POST`, as a form with',
        'these fields and the file last; with `PATCH`, to a tus 1.0 URL, where an interrupted upload resumes.',
        'Complete it afterwards. An upload expires after 24 hours. With `replaces` the file becomes that of an asset, which',
        'you must also be allowed to update; its properties and overlays stay, so none can be given.',
      ].join(' '),
      tags,
      success: { status: 201, location: '/media/uploads/{id}' },
    }),
    resource: 'media',
    action: 'create',
    errors: [
      'media_not_found',
      'media_folder_not_found',
      'site_not_found',
      'locale_not_found',
      'open_uploads_exceeded',
    ],
  })
    .input(
      inProject({
        ...assetKeys,
        ...overlayChange,
        locale: assetLocale,
        replaces: Id.optional().meta({
          description: 'Id of the asset whose file this one replaces. Without it, an asset is created.',
        }),
        fileName,
        size: z
          .int()
          .min(1)
          .max(limits.mediaLargeUploadBytes)
          .meta({ description: 'Size of the file in bytes.', example: 734_003_200 }),
        mimeType: z
          .string()
          .max(200)
          .regex(/^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i)
          .meta({ description: 'Media type of the file. The content must agree.', example: 'video/mp4' }),
        checksum: z
          .string()
          .regex(/^[0-9a-f]{64}$/i)
          .optional()
          .meta({
            description: 'SHA-256 of the file in hexadecimal. Another file is refused.',
            example: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
          }),
      }),
    )
    .output(dataOf(MediaUpload)),

  get: management({
    openapi: managementRoute('GET', '/media/uploads/{id}', {
      summary: 'Get an upload',
      description: 'Returns one upload with the number of bytes that have arrived. HEAD is that of tus 1.0.',
      tags,
      tus: true,
    }),
    resource: 'media',
    action: 'create',
    errors: ['media_upload_not_found', 'media_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(MediaUpload)),

  append: management({
    openapi: managementRoute('PATCH', '/media/uploads/{id}', {
      summary: 'Append to an upload',
      description: [
        'Appends bytes at an offset, which must be the number of bytes that have arrived. Send them as the body of a',
        'tus 1.0 PATCH, or as JSON in Base64. What arrives before the connection breaks is kept.',
      ].join(' '),
      tags,
      tus: true,
    }),
    resource: 'media',
    action: 'create',
    errors: [
      'media_upload_not_found',
      'media_not_found',
      'method_not_allowed',
      'upload_offset_conflict',
      'limit_reached',
      'precondition_failed',
      'storage_unavailable',
      'storage_full',
    ],
  })
    .input(
      inProject({
        id,
        offset: z.int().min(0).meta({ description: 'Position of the first byte in the file.', example: 0 }),
        content: BytesInput,
      }),
    )
    .output(dataOf(MediaUpload)),

  complete: management({
    openapi: managementRoute('POST', '/media/uploads/{id}/complete', {
      summary: 'Complete an upload',
      description: [
        'Checks the file as other uploads are checked, and creates its asset or replaces the file of one. Fails with 409 until',
        'every byte has arrived. Repeated, it returns the same asset.',
      ].join(' '),
      tags,
      success: { status: 201, location: '/media/{id}', existing: true },
      versioned: true,
    }),
    resource: 'media',
    action: 'create',
    events: ['media.created', 'media.updated'],
    errors: [
      'media_upload_not_found',
      'media_not_found',
      'version_conflict',
      'precondition_failed',
      'upload_incomplete',
      'upload_in_progress',
      'media_folder_not_found',
      'site_not_found',
      'locale_not_found',
      'unsupported_file_type',
      'file_damaged',
      'file_too_complex',
      'storage_unavailable',
      'storage_full',
    ],
  })
    .input(inProject({ id, version: expectedVersion("the replaced asset's") }))
    .output(CompletedUpload),

  abort: management({
    openapi: managementRoute('DELETE', '/media/uploads/{id}', {
      summary: 'Abort an upload',
      description: 'Deletes an upload and its bytes. The asset of a completed upload stays.',
      tags,
      tus: true,
    }),
    resource: 'media',
    action: 'create',
    confirmation: 'always',
    errors: ['media_upload_not_found', 'media_not_found', 'precondition_failed'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
