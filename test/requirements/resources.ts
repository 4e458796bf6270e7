import type { Requirement } from './requirement.js';

/** Resources and their fields. */
export const resources = {
  'delivery/entry-shape': {
    source: 'delivery/entry',
    text: 'Delivery entries have the underscore keys and fields, and no version or times.',
  },
  'content/rich-text': {
    source: 'content/rich-text',
    text: 'Rich text is delivered as raw, html and text.',
  },
  'delivery/entry-links': {
    source: 'delivery/entry',
    text: 'References are link objects at include=0 and full entries from 1 on.',
  },
  'delivery/routes-results': { source: 'delivery/routes', text: 'Routes resolve to an entry or a redirect.' },
  'lists/envelope': {
    source: 'http/envelopes',
    text: 'Lists are { data, meta: { total, page, limit, pages } }.',
  },
  'graphql/types': {
    source: 'graphql/types',
    text: 'Each content type is a GraphQL type in PascalCase with its fields verbatim.',
  },
  'graphql/types-of-custom-fields': {
    source: 'graphql/types',
    text: 'Custom field types are JSON, or a named type that follows from their schema.',
  },
  'graphql/types-of-references': {
    source: 'graphql/types',
    text: 'References resolve to the linked type or a union.',
  },
  'content/conversions': {
    source: 'content/conversions',
    text: 'Values are converted when a field becomes a list, one value, localized or shared; what is lost needs consent.',
  },
  'environments/schema-undo': {
    source: 'environments/schema',
    text: 'An undo restores the values that its apply removed from drafts and published documents, from the versions before it.',
  },
  'entries/dependencies': {
    source: 'entries/dependencies',
    text: 'Links of drafts and published documents are found in both directions; dry runs list what would be published or break.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
