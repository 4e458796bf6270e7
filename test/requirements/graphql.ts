import type { Requirement } from './requirement.js';

/** GraphQL. */
export const graphql = {
  'spec-4.2-request': {
    source: 'graphql/endpoint',
    text: 'POST takes query and variables as JSON, with a key of any type, and answers a GraphQL result.',
  },
  'spec-4.2-entry': { source: 'graphql/endpoint', text: 'entry(id) and entryBySlug read one entry.' },
  'spec-4.2-collection': {
    source: 'graphql/endpoint',
    text: 'There is a collection per content type with items, total, skip and limit.',
  },
  'spec-4.2-arguments': {
    source: 'graphql/endpoint',
    text: 'Collections take site, locale, preview, limit and skip; root queries their arguments as listed.',
  },
  'spec-4.2-route': { source: 'graphql/endpoint', text: 'resolveRoute returns what a path resolves to.' },
  'spec-4.2-asset': {
    source: 'graphql/endpoint',
    text: 'asset(id, locale) reads a media asset.',
  },
  'spec-4.2-no-single': { source: 'graphql/endpoint', text: 'No type has a separate single-entry query.' },
  'spec-4.2-ignored': { source: 'graphql/endpoint', text: 'where and orderBy are declared and not applied.' },
  'spec-4.2-order': { source: 'graphql/endpoint', text: 'Collections sort by _updatedAt, newest first.' },
  'spec-4.2-batching': {
    source: 'graphql/reads',
    text: 'References are batched per request: as many look-ups for one entry as for a hundred.',
  },
  'spec-4.2-hops': { source: 'graphql/reads', text: 'References end after 3 hops: null, or an empty list.' },
  'spec-4.2-introspection': {
    source: 'graphql/introspection',
    text: 'Management and preview keys may introspect, delivery keys may not.',
  },
  'spec-4.2-validation': { source: 'graphql/endpoint', text: 'Validation runs before resolvers.' },
  'spec-4.2-types-cli': {
    source: 'graphql/endpoint',
    text: 'A command emits TypeScript interfaces that match the schema of a project.',
  },
  'spec-8-graphql': { source: 'limits/values', text: 'Depth 10 and complexity 1000 are hard limits.' },
  'spec-8-graphql-cache': {
    source: 'limits/values',
    text: 'GraphQL answers are cacheable and name what they hold; those to preview keys are not stored.',
  },
  'dec-2.25-failures': {
    source: 'graphql/failures',
    text: 'What fails before execution is 400, 401, 403 or 413 and carries both styles of failure.',
  },
  'dec-2.25-persisted': {
    source: 'graphql/endpoint',
    text: 'A query that was sent once may be asked by its hash.',
  },
  'dec-2.30-schema': {
    source: 'graphql/endpoint',
    text: 'The schema follows a content-type change before the change is acknowledged, and can always be built.',
  },
  'add-pages': {
    source: 'additive',
    text: 'Browsers get an API reference at /docs and a GraphQL explorer at the endpoint, from this service alone.',
  },
  'hard-graphql-hostile': {
    source: 'limits/hostile-callers',
    text: 'Hostile queries are refused with 400 or 413 before anything is read.',
  },
  'hard-graphql-audits': {
    source: 'limits/hostile-callers',
    text: 'The audits of GraphQL over HTTP find no MUST that fails.',
  },
  'dec-3.10-preview-token': {
    source: 'graphql/preview-tokens',
    text: 'A preview token shows the draft of the one entry that it names.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
