import type { Requirement } from './requirement.js';

/** What a site needs from delivery. */
export const siteDelivery = {
  'publication/sync': {
    source: 'publication/sync',
    text: 'A client that only syncs ends with exactly what the site delivers, deletions included, even if content changes during the sync.',
  },
  'publication/sync-cursors': {
    source: 'publication/sync',
    text: 'A cursor is valid for 90 days, for the site, environment and class of key that it was issued to.',
  },
  'publication/sync-command': {
    source: 'publication/sync',
    text: 'A command mirrors a site into a folder, continues after it was stopped, and starts over where the cursor has expired.',
  },
  'delivery/filters-by-system-keys': {
    source: 'delivery/filters',
    text: 'Lists filter by _slug, _id and _publishedAt with the operators of their kind, by an index.',
  },
  'delivery/where': {
    source: 'delivery/where',
    text: 'Lists with a filter take it as JSON in one parameter too, with the same operators and results, combined by and, or and not.',
  },
  'delivery/where-references': {
    source: 'delivery/where',
    text: 'A reference field takes a filter of the entries it refers to, of those that the caller reads.',
  },
  'delivery/where-rejected': {
    source: 'delivery/where',
    text: 'A filter as JSON is 422 with the path of the mistake, and above ten comparisons, five levels, one reference or 4,000 characters.',
  },
  'delivery/routes-include': {
    source: 'delivery/routes',
    text: 'routes takes include=0..3 with the expansion rules of entries/{id}.',
  },
  'lists/text': {
    source: 'lists/text',
    text: 'Text is compared in NFC, whatever form it is stored or asked for in, and returned as given.',
  },
  'lists/text-order': { source: 'lists/text', text: 'Lists, facets and groups sort text as Unicode does.' },
  'lists/text-times': {
    source: 'lists/text',
    text: 'Dates and times are compared as such, and refused where PostgreSQL cannot hold them.',
  },
  'lists/text-lists': {
    source: 'lists/text',
    text: 'Lists in a query string are repeated or separated by commas, of which one can be escaped.',
  },
  'lists/filters-ignored': {
    source: 'lists/filters',
    text: 'Delivery names parameters that have no effect in a header.',
  },
  'lists/filters-unknown': {
    source: 'lists/filters',
    text: 'A parameter that names a field or system key is 422 with the right spelling; lists of management refuse every unknown parameter and name the nearest known one.',
  },
  'delivery/paths': {
    source: 'delivery/paths',
    text: 'paths=true adds _path to every entry of a response in one statement, and is purged when a route changes.',
  },
  'delivery/paths-of-drafts': {
    source: 'delivery/paths',
    text: 'Drafts have the paths that they will have when live, for preview keys and in preview links.',
  },
  'delivery/paths-by-fallback': {
    source: 'delivery/paths',
    text: "A page shown by fallback has a route of the locale's own slugs and those of the fallback; the older form redirects to it.",
  },
  'delivery/tree': {
    source: 'delivery/tree',
    text: 'Delivery and GraphQL read the published tree of a site in one statement, from a root, to a depth, as a menu; it is cached and purged.',
  },
  'delivery/search': {
    source: 'delivery/search',
    text: 'Delivery and GraphQL search what a site publishes, in the locale served; it is cached and purged.',
  },
  'delivery/redirects': {
    source: 'delivery/redirects',
    text: 'Delivery and GraphQL list the active redirects of a site in the order in which they apply; the list is cached and purged.',
  },
  'delivery/static-site': {
    source: 'delivery/redirects',
    text: 'A script renders the demo project with REST alone, and one with GraphQL alone, in at most one request per page and three more.',
  },
  'routing/path-style': {
    source: 'routing/path-style',
    text: 'A change of the path strategy or default locale redirects every published route in one statement; none with several locales warns.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
