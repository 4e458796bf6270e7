import type { Requirement } from './requirement.js';

/** Chapter 4.2, GraphQL; decision 2.25. */
export const graphql = {
  'spec-4.2-request': {
    source: 'spec 4.2',
    text: 'POST takes query and variables as JSON, with a key of any type, and answers a GraphQL result.',
  },
  'spec-4.2-entry': { source: 'spec 4.2', text: 'entry(id) and entryBySlug read one entry.' },
  'spec-4.2-collection': {
    source: 'spec 4.2',
    text: 'There is a collection per content type with items, total, skip and limit.',
  },
  'spec-4.2-arguments': {
    source: 'spec 4.2',
    text: 'Collections take site, locale, preview, limit and skip; root queries their arguments as listed.',
  },
  'spec-4.2-route': { source: 'spec 4.2', text: 'resolveRoute returns what a path resolves to.' },
  'spec-4.2-asset': {
    source: 'spec 4.2',
    text: 'asset(id, locale) reads a media asset.',
  },
  'spec-4.2-no-single': { source: 'spec 4.2.1', text: 'No type has a separate single-entry query.' },
  'spec-4.2-ignored': { source: 'spec 4.2.2', text: 'where and orderBy are declared and not applied.' },
  'spec-4.2-order': { source: 'spec 4.2.2', text: 'Collections sort by _updatedAt, newest first.' },
  'spec-4.2-batching': {
    source: 'spec 4.2.3',
    text: 'References are batched per request: as many look-ups for one entry as for a hundred.',
  },
  'spec-4.2-hops': { source: 'spec 4.2.4', text: 'References end after 3 hops: null, or an empty list.' },
  'spec-4.2-introspection': {
    source: 'spec 4.2.5',
    text: 'Management and preview keys may introspect, delivery keys may not.',
  },
  'spec-4.2-validation': { source: 'spec 4.2.6', text: 'Validation runs before resolvers.' },
  'spec-4.2-types-cli': {
    source: 'spec 4.2.7',
    text: 'A command emits TypeScript interfaces that match the schema of a project.',
  },
  'spec-8-graphql': { source: 'spec 8', text: 'Depth 10 and complexity 1000 are hard limits.' },
  'spec-8-graphql-cache': {
    source: 'spec 8',
    text: 'GraphQL answers are cacheable and name what they hold; those to preview keys are not stored.',
  },
  'dec-2.25-failures': {
    source: '2.25',
    text: 'What fails before execution is 400, 401, 403 or 413 and carries both styles of failure.',
  },
  'dec-2.25-persisted': { source: '2.25', text: 'A query that was sent once may be asked by its hash.' },
  'dec-2.30-schema': {
    source: '2.30',
    text: 'The schema follows a content-type change before the change is acknowledged, and can always be built.',
  },
  'add-pages': {
    source: 'additive',
    text: 'Browsers get an API reference at /docs and a GraphQL explorer at the endpoint, from this service alone.',
  },
  'hard-graphql-hostile': {
    source: 'hardening 2',
    text: 'Hostile queries are refused with 400 or 413 before anything is read.',
  },
  'hard-graphql-audits': {
    source: 'hardening 3',
    text: 'The audits of GraphQL over HTTP find no MUST that fails.',
  },
  'dec-3.10-preview-token': {
    source: '3.10',
    text: 'A preview token shows the draft of the one entry that it names.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
