import { z } from 'zod';
import { dataOf, dataWithWarnings, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { expectedVersion, Id, inPath, paging, Timestamp } from '../../primitives.js';
import { management } from '../../procedure.js';
import { MediaAsset, Tags } from './media-asset.js';
import {
  FileInput,
  MediaBulkAction,
  MediaBulkResult,
  MediaReference,
  MediaVersion,
  MediaTransform,
} from './media-file.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Media'];
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const id = inPath('Id of the asset.', sampleId);
const version = expectedVersion('the');

/** What happens to an asset after its upload (rule media/use). */
export const mediaLife = {
  replace: management({
    openapi: managementRoute('PUT', '/media/{id}/file', {
      summary: 'Replace the file of an asset',
      description:
        'Replaces the file. Id, overlays and uses stay, the old file remains as a version, and delivery changes at once. Send `multipart/form-data` with the part `file` last, or JSON with the content in Base64.',
      tags,
      versioned: true,
      upload: { part: 'file', maximumBytes: limits.mediaUploadBytes },
    }),
    resource: 'media',
    action: 'update',
    events: ['media.updated'],
    errors: [
      'media_not_found',
      'version_conflict',
      'precondition_failed',
      'unsupported_file_type',
      'file_damaged',
      'file_too_complex',
      'open_uploads_exceeded',
      'storage_unavailable',
      'storage_full',
    ],
  })
    .input(inProject({ id, version, file: FileInput }))
    .output(dataWithWarnings(MediaAsset)),

  listVersions: management({
    openapi: managementRoute('GET', '/media/{id}/versions', {
      summary: 'List the files of an asset',
      description: 'Returns the files that the asset has had, newest first.',
      tags,
    }),
    resource: 'media',
    action: 'read',
    errors: ['media_not_found'],
  })
    .input(inProject({ id, ...paging }))
    .output(listOf(MediaVersion)),

  restoreVersion: management({
    openapi: managementRoute('POST', '/media/{id}/versions/{versionNum}/restore', {
      summary: 'Restore a file of an asset',
      description: 'Makes an earlier file the current one again, as a new version.',
      tags,
      versioned: true,
    }),
    resource: 'media',
    action: 'update',
    events: ['media.updated'],
    errors: ['media_not_found', 'version_not_found', 'version_conflict', 'precondition_failed'],
  })
    .input(
      inProject({
        id,
        versionNum: z.int().meta({ description: 'Version of the asset that brought the file.', example: 1 }),
        version,
      }),
    )
    .output(dataOf(MediaAsset)),

  listReferences: management({
    openapi: managementRoute('GET', '/media/{id}/references', {
      summary: 'List uses of an asset',
      description:
        'Returns the fields of entries that use the asset in drafts or published content, newest entries first.',
      tags,
    }),
    resource: 'media',
    action: 'read',
    errors: ['media_not_found'],
  })
    .input(inProject({ id, ...paging }))
    .output(listOf(MediaReference)),

  signUrl: management({
    openapi: managementRoute('POST', '/media/{id}/signed-url', {
      summary: 'Create a signed URL',
      description:
        'Creates a URL of the file or of a rendition that is valid for some time, also for private assets and exact sizes.',
      tags,
    }),
    resource: 'media',
    action: 'read',
    errors: ['media_not_found'],
  })
    .input(
      inProject({
        id,
        expiresIn: z
          .int()
          .min(limits.signedUrlSecondsMinimum)
          .max(limits.signedUrlSecondsMaximum)
          .default(limits.signedUrlSecondsDefault)
          .meta({
            description: 'Seconds until the URL expires. It never outlives the API key that makes it.',
            example: 3600,
          }),
        transform: MediaTransform.optional().meta({ description: 'The rendition.', example: { w: 640 } }),
      }),
    )
    .output(dataOf(z.object({ url: z.string(), expiresAt: Timestamp }))),

  bulk: management({
    openapi: managementRoute('POST', '/media/bulk', {
      summary: 'Change several assets',
      description: `Deletes, moves, tags or untags up to ${String(limits.bulkAssets)} assets. Each asset succeeds or fails on its own.`,
      tags,
    }),
    resource: 'media',
    action: 'any',
    events: ['media.updated', 'media.deleted'],
    confirmation: { key: 'action', values: ['delete'] },
    errors: ['media_folder_not_found'],
  })
    .input(
      inProject({
        action: MediaBulkAction,
        assetIds: z
          .array(Id)
          .min(1)
          .max(limits.bulkAssets)
          .meta({ description: 'Ids of the assets; repeated ids are ignored.', example: [sampleId] }),
        params: z
          .strictObject({
            folderId: Id.nullish().meta({ description: 'Folder to move to. Null means none.' }),
            tags: Tags.min(1)
              .optional()
              .meta({ description: 'Tags to add or remove.', example: ['harbour'] }),
            force: z.boolean().optional().meta({ description: 'Delete assets even if they are in use.' }),
          })
          .prefault({})
          .meta({ description: 'Parameters of the action.' }),
      }),
    )
    .output(dataOf(MediaBulkResult)),
};
