import type { Requirement } from './requirement.js';

/** Assets, folders, overlays and their uses. */
export const media = {
  'media/overlays': { source: 'media/overlays', text: 'Media assets have overlays per locale.' },
  'media/overlay-write': {
    source: 'media/overlays',
    text: 'PUT media/{id}/locales/{locale} upserts; omitted is untouched, null clears, an empty body is 422 no_update_fields, an unknown locale 404.',
  },
  'media/overlay-lengths': {
    source: 'limits/values',
    text: 'altText 2000, title 500, description 5000 characters.',
  },
  'media/filters': {
    source: 'lists/filters',
    text: 'Assets are filtered by folder, type, tag, missing text, use and name; totals match.',
  },
  'media/field-rules': {
    source: 'media/assets',
    text: 'Media fields validate type, size and dimensions at publish.',
  },
  'media/assets': {
    source: 'media/assets',
    text: 'An asset has properties, a version and the overlay of a locale.',
  },
  'media/upload': {
    source: 'media/upload',
    text: 'Uploads are multipart; a file that exists returns its asset with meta.duplicate.',
  },
  'media/upload-duplicates': {
    source: 'media/upload',
    text: 'The same bytes uploaded again return the asset and name what was not applied; duplicate=create makes another asset.',
  },
  'media/private-placeholder': {
    source: 'media/assets',
    text: 'The placeholder and the dominant colour of private files are null in delivery and GraphQL.',
  },
  'media/delete-in-use': {
    source: 'media/use',
    text: 'Deleting what is in use is 409 media_in_use unless forced.',
  },
  'media/list-totals': {
    source: 'media/use',
    text: 'Totals of lists of assets by one filter come from counters, which rebuild --check compares and rebuild repairs; with q they stop at 1,000.',
  },
  'media/folders': {
    source: 'media/use',
    text: 'Folders nest; a folder that is not empty cannot be deleted.',
  },
  'media/default-locale-values': {
    source: 'content/values',
    text: 'altText, title and description of an asset are those of the default locale.',
  },
  'content/values-of-media': {
    source: 'content/values',
    text: 'Media values are links at include=0 and assets from 1 on.',
  },
  'media/use': {
    source: 'media/use',
    text: 'Uses in drafts, published documents, rich text and overlays are counted in the database.',
  },
  'media/replace': {
    source: 'media/replace',
    text: 'Replacing a file keeps id, overlays and uses; the old file stays as a version that can be restored.',
  },
  'media/large-uploads': {
    source: 'media/large-uploads',
    text: 'Large files arrive as a form in S3 or through tus, resume after an interruption, are completed once, and expire.',
  },
  'media/large-uploads-open': {
    source: 'media/large-uploads',
    text: 'Open uploads are at most 100 per key or user and 50 GB per project, as settings, never exceeded; completing, deleting and expiring make room.',
  },
  'media/upload-from-url': {
    source: 'media/upload',
    text: 'Files are imported from public URLs through the guard of webhooks, redirects included; size and time are bounded.',
  },
  'media/bulk': { source: 'media/replace', text: 'Bulk calls report an outcome per asset.' },
  'media/signed-url': {
    source: 'media/urls',
    text: 'A signed URL serves a private file until it expires.',
  },
  'media/overlay-fallback': {
    source: 'media/overlays',
    text: 'Overlays fall back value by value along the chain.',
  },
  'media/sites': {
    source: 'media/sites',
    text: 'A key limited to sites changes assets that name one of them and reads those of every site.',
  },
  'media/import': {
    source: 'operation',
    text: 'The import brings the pictures of pages with their alternative texts per locale; a second run changes nothing.',
  },
  'media/delivery-cost': {
    source: 'operation',
    text: 'A page of 25 entries with 25 pictures costs one statement more than without them.',
  },
  'content/rich-text-embeds': {
    source: 'content/rich-text',
    text: 'assetEmbed is rendered as a figure with the asset.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
