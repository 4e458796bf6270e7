import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, pagedListOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, cursorPaging, expectedVersion, Id, inPath, orderByOrView, viewId } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  assetKeys,
  assetLocale,
  MediaAsset,
  MediaAssetLocale,
  overlayChange,
  UploadedAsset,
} from './media-asset.js';
import { duplicate, FileInput, fileName } from './media-file.js';
import { inProject, managementRoute } from '../../routes.js';
import { mediaLife } from './media-life.contract.js';

const tags = ['Media'];
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const id = inPath('Id of the asset.', sampleId);

/** A saved view may set them. */
const crud = crudOf({ path: '/media', key: 'id', resource: 'media', tags, notFound: 'media_not_found' });

export const mediaFilters = {
  locale: assetLocale,
  folderId: Id.optional().meta({ description: 'Filter by folder.' }),
  mimeType: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Filter by media type or its beginning.', example: 'image/' }),
  tag: anyOf(z.string().max(limits.mediaTagLength), 'Filter by tag.', 'harbour'),
  siteId: anyOf(Id, 'Filter by site: the assets that name it.', sampleId),
  missingAltText: z.string().max(100).optional().meta({
    description: 'Filter by images without own alternative text in this locale.',
    example: 'de-DE',
  }),
  sourceChecksum: anyOf(
    z.string().regex(/^[0-9a-f]{64}$/),
    'Filter by SHA-256 of the uploaded file.',
    '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
  ),
  unused: z
    .boolean()
    .optional()
    .meta({ description: 'Filter by whether nothing uses the asset.', example: true }),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: `Filter by a string in the file name or a title, ignoring case. meta.total stops at ${String(limits.mediaMatchesCounted)}.`,
      example: 'lock',
    }),
};

export const mediaOrder = orderByOrView(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc');

/** A focal point needs a look at the picture. */
const { focalPoint: _focalPoint, ...importedKeys } = assetKeys;

const fileErrors = [
  'unsupported_file_type',
  'file_damaged',
  'file_too_complex',
  'open_uploads_exceeded',
] as const;

export const media = {
  ...mediaLife,

  list: crud
    .list({
      summary: 'List assets',
      description: 'Returns the assets of the project, most recently updated first by default.',
      mcp: {
        tool: 'list_media',
        toolset: 'media',
        title: 'List media',
        description:
          'Lists assets with file name, type, URL and alternative text. Filter by tag, type, folder or use.',
        readOnly: true,
        sameResultAs: 'get_media',
      },
      errors: ['locale_not_found', 'media_folder_not_found', 'site_not_found', 'view_not_found'],
    })
    .input(
      inProject({
        ...cursorPaging,
        orderBy: mediaOrder,
        ...mediaFilters,
        id: anyOf(Id, 'Filter by id.', sampleId),
        viewId,
      }),
    )
    .output(pagedListOf(MediaAsset)),

  upload: management({
    openapi: managementRoute('POST', '/media/upload', {
      summary: 'Upload a file',
      description: [
        'Creates an asset from a file. Send `multipart/form-data` with the part `file` last, or JSON with the content in Base64.',
        'The media type is determined from the content; SVG is sanitized, and places are removed from pictures.',
        'A file that the project already has returns the existing asset unchanged; `meta.warnings` names what was not applied.',
      ].join(' '),
      tags,
      success: { status: 201, location: '/media/{id}', existing: true },
      upload: { part: 'file', maximumBytes: limits.mediaUploadBytes, query: ['duplicate'] },
    }),
    resource: 'media',
    action: 'create',
    events: ['media.created'],
    errors: ['media_folder_not_found', 'site_not_found', 'locale_not_found', ...fileErrors, 'storage_full'],
  })
    .input(inProject({ ...assetKeys, ...overlayChange, locale: assetLocale, duplicate, file: FileInput }))
    .output(UploadedAsset),

  importUrl: management({
    openapi: managementRoute('POST', '/media/import-url', {
      summary: 'Import a file from a URL',
      description: [
        'Fetches a public https URL and creates an asset from the file, as an upload does.',
        'Redirects are followed; private addresses are refused.',
      ].join(' '),
      tags,
      success: { status: 201, location: '/media/{id}', existing: true },
    }),
    mcp: {
      tool: 'upload_media_from_url',
      toolset: 'media',
      title: 'Upload media from a URL',
      openWorld: true,
      sameResultAs: 'get_media',
      description:
        'Creates an asset from a public https URL. A file that exists already returns its asset. Set altText for images.',
    },
    resource: 'media',
    action: 'create',
    events: ['media.created'],
    errors: [
      'media_folder_not_found',
      'site_not_found',
      'locale_not_found',
      'import_url_refused',
      'import_failed',
      'payload_too_large',
      ...fileErrors,
      'storage_unavailable',
      'storage_full',
    ],
  })
    .input(
      inProject({
        ...importedKeys,
        ...overlayChange,
        locale: assetLocale,
        url: z
          .string()
          .min(1)
          .max(limits.urlLength)
          .meta({ description: 'The URL of the file.', example: 'https://www.example.com/lock.jpg' }),
        fileName: fileName.optional().meta({
          description: "Name of the file. Defaults to the last segment of the URL's path.",
          example: 'lock.jpg',
        }),
      }),
    )
    .output(UploadedAsset),

  get: crud
    .get({
      summary: 'Get an asset',
      description: 'Returns one asset with the values of a locale.',
      route: { versioned: true },
      mcp: {
        tool: 'get_media',
        toolset: 'media',
        title: 'Get media',
        description: 'Returns one asset with its values in a locale.',
        readOnly: true,
      },
      errors: ['locale_not_found'],
    })
    .input(inProject({ id, locale: assetLocale }))
    .output(dataOf(MediaAsset)),

  update: crud
    .update({
      summary: 'Update an asset',
      description:
        "Updates the given properties; null clears one. `altText`, `title` and `description` change the values of the tenant's default locale. Delivery changes at once.",
      route: { versioned: true },
      mcp: {
        tool: 'update_media',
        toolset: 'media',
        title: 'Update media',
        sameResultAs: 'get_media',
        description:
          'Updates an asset: file name, tags, folder, focal point, and overlay of the default locale.',
      },
      confirmation: { given: ['visibility'], values: ['public'] },
      events: ['media.updated', 'media.locale_updated'],
      errors: ['media_folder_not_found', 'site_not_found', 'version_conflict', 'precondition_failed'],
    })
    .input(
      inProject({
        id,
        fileName: z.string().trim().min(1).max(limits.mediaFileNameLength).optional().meta({
          description: 'Name of the file in its URL and in downloads. The extension stays that of its type.',
        }),
        ...assetKeys,
        ...overlayChange,
        version: expectedVersion('the'),
      }),
    )
    .output(dataOf(MediaAsset)),

  delete: crud
    .delete({
      summary: 'Delete an asset',
      description:
        'Deletes an asset with its overlays and former files. Fails with 409 if it is in use, unless forced.',
      events: ['media.deleted'],
      errors: ['media_in_use'],
    })
    .input(
      inProject({
        id,
        force: z
          .boolean()
          .default(false)
          .meta({ description: 'Delete the asset even if it is in use.', example: true }),
      }),
    )
    .output(dataOf(Deleted)),

  listLocales: management({
    openapi: managementRoute('GET', '/media/{id}/locales', {
      summary: 'List overlays of an asset',
      description: 'Returns the own values of every locale that has some, without fallback.',
      tags,
    }),
    resource: 'media',
    action: 'read',
    errors: ['media_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(z.array(MediaAssetLocale))),

  putLocale: management({
    openapi: managementRoute('PUT', '/media/{id}/locales/{locale}', {
      summary: 'Set the overlay of a locale',
      description:
        'Creates or updates the values of a locale. Omitted values are unchanged, null clears one.',
      tags,
    }),
    resource: 'media',
    action: 'update',
    events: ['media.locale_updated'],
    errors: ['media_not_found', 'locale_not_found', 'no_update_fields'],
  })
    .input(
      inProject({
        id,
        locale: inPath('A locale of the tenant.', 'de-DE'),
        ...overlayChange,
        overrideStorageKey: z
          .string()
          .min(1)
          .max(500)
          .nullish()
          .meta({
            description: 'File shown instead in this locale: `asset:{id}`, or the storage key of an asset.',
            example: `asset:${sampleId}`,
          }),
      }),
    )
    .output(dataOf(MediaAssetLocale)),
};
