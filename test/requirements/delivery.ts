import type { Requirement } from './requirement.js';

/** Chapter 4.1, REST delivery; decisions 2.13, 2.27. */
export const delivery = {
  'spec-4-envelopes': {
    source: 'spec 4',
    text: 'Success is { data }, failure { error, message, details? }.',
  },
  'spec-4.1-entry': {
    source: 'spec 4.1',
    text: 'GET entries/{id} answers one entry resolved for the locale.',
  },
  'spec-4.1-include': {
    source: 'spec 4.1.3',
    text: 'include expands 0 to 3 hops; a revisited id stays a link.',
  },
  'spec-4.1-list': { source: 'spec 4.1', text: 'GET content/{type} pages entries with full values.' },
  'spec-4.1-order': {
    source: 'spec 4.1.2',
    text: 'The content list sorts by updatedAt:desc unless told otherwise.',
  },
  'spec-4.1-no-field-sort': { source: 'spec 4.1.4', text: 'Delivery does not sort by fields.' },
  'spec-4.1-routes': { source: 'spec 4.1', text: 'GET routes resolves a path.' },
  'spec-4.1-media': {
    source: 'spec 4.1',
    text: 'GET media/{assetId} answers metadata with overlay.',
  },
  'spec-4.1-sitemap': { source: 'spec 4.1.1', text: 'The sitemap lists alternates.' },
  'arch-7-read-model': {
    source: 'architecture 7',
    text: 'The published documents are those of the versions that are live, whatever happened before.',
  },
  'dec-2.13-delivery': {
    source: '2.13',
    text: 'Not live, unknown locale and unknown type are 404 with their codes.',
  },
  'dec-2.27-fallback': {
    source: '2.27',
    text: 'Where an entry is not published in a locale, its fallbacks are followed.',
  },
  'dec-2.27-slugs': { source: '2.27', text: 'Slugs are unique per site, locale and type.' },
  'dec-2.29-cross-site': { source: '2.29', text: 'An entry is delivered only under its own site.' },
  'dec-2.13-routes': {
    source: '2.13',
    text: 'A page comes before redirects; paths are compared decoded and in NFC; a 404 is cached.',
  },
  'dec-2.13-sitemap': {
    source: '2.13',
    text: 'The sitemap lists every live page and locale with its alternates and x-default, 50,000 at a time.',
  },
  'dec-2.13-filters': { source: '2.13', text: 'Delivery filters and picks fields where it is asked to.' },
  'dec-2.13-comparisons': {
    source: '2.13',
    text: 'Comparisons besides equality are found by an index, and find what a reading of the whole list finds.',
  },
  'dec-3.1-filters': {
    source: '3.1',
    text: 'A parameter that begins with filter and is no filter is rejected.',
  },
  'dec-3.1-sitemap-origin': {
    source: '3.1',
    text: 'URLs of a site without one start with PUBLIC_BASE_URL or the origin of the request.',
  },
  'dec-3.1-noindex': {
    source: '3.1',
    text: 'A page whose boolean field noindex is true is not in the sitemap.',
  },
  'dec-3.10-one-text': {
    source: '3.10',
    text: 'Every surface shows the same values of a published entry after every operation on content or schema.',
  },
  'dec-2.13-etag': { source: '2.13', text: 'A client that has the current ETag gets 304.' },
} as const satisfies Readonly<Record<string, Requirement>>;
