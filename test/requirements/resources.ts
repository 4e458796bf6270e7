import type { Requirement } from './requirement.js';

/** Resources and their fields. */
export const resources = {
  'spec-2.1-entry': {
    source: 'delivery/entry',
    text: 'Delivery entries have the underscore keys and fields, and no version or times.',
  },
  'spec-2.1-rich-text': {
    source: 'content/rich-text',
    text: 'Rich text is delivered as raw, html and text.',
  },
  'spec-2.1-links': {
    source: 'delivery/entry',
    text: 'References are link objects at include=0 and full entries from 1 on.',
  },
  'spec-2.2': { source: 'delivery/routes', text: 'Routes resolve to an entry or a redirect.' },
  'spec-2.3': { source: 'http/envelopes', text: 'Lists are { data, meta: { total, page, limit, pages } }.' },
  'spec-2.4-types': {
    source: 'graphql/types',
    text: 'Each content type is a GraphQL type in PascalCase with its fields verbatim.',
  },
  'spec-2.4-custom': {
    source: 'graphql/types',
    text: 'Custom field types are JSON, or a named type that follows from their schema.',
  },
  'spec-2.4-unions': { source: 'graphql/types', text: 'References resolve to the linked type or a union.' },
  'dec-2.7-conversion': {
    source: 'content/conversions',
    text: 'Values are converted when a field becomes a list, one value, localized or shared; what is lost needs consent.',
  },
  'dec-3.6-undo': {
    source: 'environments/schema',
    text: 'An undo restores the values that its apply removed from drafts and published documents, from the versions before it.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
