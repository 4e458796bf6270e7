import type { Requirement } from './requirement.js';

/** REST delivery. */
export const delivery = {
  'http/envelopes': {
    source: 'http/envelopes',
    text: 'Success is { data }, failure { error, message, details? }.',
  },
  'delivery/entry': {
    source: 'delivery/operations',
    text: 'GET entries/{id} answers one entry resolved for the locale.',
  },
  'delivery/include': {
    source: 'delivery/entry',
    text: 'include expands 0 to 3 hops; a revisited id stays a link.',
  },
  'delivery/content-list': {
    source: 'delivery/operations',
    text: 'GET content/{type} pages entries with full values.',
  },
  'delivery/default-order': {
    source: 'delivery/operations',
    text: 'The content list sorts by updatedAt:desc unless told otherwise.',
  },
  'delivery/no-sort-by-field': { source: 'delivery/operations', text: 'Delivery does not sort by fields.' },
  'delivery/routes': { source: 'delivery/operations', text: 'GET routes resolves a path.' },
  'delivery/media': {
    source: 'delivery/operations',
    text: 'GET media/{assetId} answers metadata with overlay.',
  },
  'delivery/sitemap': { source: 'delivery/sitemap', text: 'The sitemap lists alternates.' },
  'architecture/read-model': {
    source: 'architecture 7',
    text: 'The published documents are those of the versions that are live, whatever happened before.',
  },
  'delivery/entry-not-found': {
    source: 'delivery/entry',
    text: 'Not live, unknown locale and unknown type are 404 with their codes.',
  },
  'localization/locales': {
    source: 'localization/locales',
    text: 'Locales of a tenant are changed one by one by super-admins and owners of all its projects; one in use is kept.',
  },
  'localization/one-document': {
    source: 'localization/types',
    text: 'An entry of a type without locales has one document, which every locale of its site is served.',
  },
  'localization/lost-locales': {
    source: 'localization/types',
    text: 'A type loses its locales unless an entry is published in one that is not shown.',
  },
  'localization/field-fallback': {
    source: 'localization/field-fallback',
    text: 'A localized field without a value shows that of the first fallback with one, if its type says so.',
  },
  'localization/fallback': {
    source: 'localization/fallback',
    text: 'Where an entry is not published in a locale, its fallbacks are followed.',
  },
  'entries/slugs-unique': { source: 'entries/slugs', text: 'Slugs are unique per site, locale and type.' },
  'delivery/entry-of-site': {
    source: 'delivery/operations',
    text: 'An entry is delivered only under its own site.',
  },
  'delivery/routes-before-redirects': {
    source: 'delivery/routes',
    text: 'A page comes before redirects; paths are compared decoded and in NFC; a 404 is cached.',
  },
  'delivery/sitemap-pages': {
    source: 'delivery/sitemap',
    text: 'The sitemap lists every live page and locale with its alternates and x-default, 50,000 at a time.',
  },
  'delivery/compression': {
    source: 'delivery/caching',
    text: 'Delivery responses from 1 KB on are sent as br or gzip to clients that accept it, with a tag for each coding.',
  },
  'delivery/sitemap-fallbacks': {
    source: 'delivery/sitemap',
    text: 'On request, the sitemap lists what a locale shows by fallback, at paths that resolve.',
  },
  'delivery/filters': {
    source: 'delivery/filters',
    text: 'Delivery filters and picks fields where it is asked to.',
  },
  'delivery/filters-indexed': {
    source: 'delivery/filters',
    text: 'Comparisons besides equality are found by an index, and find what a reading of the whole list finds.',
  },
  'delivery/filters-rejected': {
    source: 'delivery/filters',
    text: 'A parameter that begins with filter and is no filter is rejected.',
  },
  'delivery/sitemap-origin': {
    source: 'delivery/sitemap',
    text: 'URLs of a site without one start with PUBLIC_BASE_URL or the origin of the request.',
  },
  'delivery/sitemap-noindex': {
    source: 'delivery/sitemap',
    text: 'A page whose boolean field noindex is true is not in the sitemap.',
  },
  'publication/documents': {
    source: 'publication/documents',
    text: 'Every surface shows the same values of a published entry after every operation on content or schema.',
  },
  'delivery/caching-purges': {
    source: 'delivery/caching',
    text: 'Caches in front of the service are purged of what changed, by surrogate keys.',
  },
  'delivery/caching-etag': {
    source: 'delivery/caching',
    text: 'A client that has the current ETag gets 304.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
