import type { Requirement } from './requirement.js';

/** REST delivery. */
export const delivery = {
  'spec-4-envelopes': {
    source: 'http/envelopes',
    text: 'Success is { data }, failure { error, message, details? }.',
  },
  'spec-4.1-entry': {
    source: 'delivery/operations',
    text: 'GET entries/{id} answers one entry resolved for the locale.',
  },
  'spec-4.1-include': {
    source: 'delivery/entry',
    text: 'include expands 0 to 3 hops; a revisited id stays a link.',
  },
  'spec-4.1-list': {
    source: 'delivery/operations',
    text: 'GET content/{type} pages entries with full values.',
  },
  'spec-4.1-order': {
    source: 'delivery/operations',
    text: 'The content list sorts by updatedAt:desc unless told otherwise.',
  },
  'spec-4.1-no-field-sort': { source: 'delivery/operations', text: 'Delivery does not sort by fields.' },
  'spec-4.1-routes': { source: 'delivery/operations', text: 'GET routes resolves a path.' },
  'spec-4.1-media': {
    source: 'delivery/operations',
    text: 'GET media/{assetId} answers metadata with overlay.',
  },
  'spec-4.1-sitemap': { source: 'delivery/sitemap', text: 'The sitemap lists alternates.' },
  'arch-7-read-model': {
    source: 'architecture 7',
    text: 'The published documents are those of the versions that are live, whatever happened before.',
  },
  'dec-2.13-delivery': {
    source: 'delivery/entry',
    text: 'Not live, unknown locale and unknown type are 404 with their codes.',
  },
  'dec-2.27-fallback': {
    source: 'localization/fallback',
    text: 'Where an entry is not published in a locale, its fallbacks are followed.',
  },
  'dec-2.27-slugs': { source: 'entries/slugs', text: 'Slugs are unique per site, locale and type.' },
  'dec-2.29-cross-site': {
    source: 'delivery/operations',
    text: 'An entry is delivered only under its own site.',
  },
  'dec-2.13-routes': {
    source: 'delivery/routes',
    text: 'A page comes before redirects; paths are compared decoded and in NFC; a 404 is cached.',
  },
  'dec-2.13-sitemap': {
    source: 'delivery/sitemap',
    text: 'The sitemap lists every live page and locale with its alternates and x-default, 50,000 at a time.',
  },
  'dec-2.13-filters': {
    source: 'delivery/filters',
    text: 'Delivery filters and picks fields where it is asked to.',
  },
  'dec-2.13-comparisons': {
    source: 'delivery/filters',
    text: 'Comparisons besides equality are found by an index, and find what a reading of the whole list finds.',
  },
  'dec-3.1-filters': {
    source: 'delivery/filters',
    text: 'A parameter that begins with filter and is no filter is rejected.',
  },
  'dec-3.1-sitemap-origin': {
    source: 'delivery/sitemap',
    text: 'URLs of a site without one start with PUBLIC_BASE_URL or the origin of the request.',
  },
  'dec-3.1-noindex': {
    source: 'delivery/sitemap',
    text: 'A page whose boolean field noindex is true is not in the sitemap.',
  },
  'dec-3.10-one-text': {
    source: 'publication/documents',
    text: 'Every surface shows the same values of a published entry after every operation on content or schema.',
  },
  'dec-2.13-etag': { source: 'delivery/caching', text: 'A client that has the current ETag gets 304.' },
} as const satisfies Readonly<Record<string, Requirement>>;
