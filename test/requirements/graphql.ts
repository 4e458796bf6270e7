import type { Requirement } from './requirement.js';

/** GraphQL. */
export const graphql = {
  'graphql/request': {
    source: 'graphql/endpoint',
    text: 'POST takes query and variables as JSON, with a key of any type, and answers a GraphQL result.',
  },
  'graphql/entry': { source: 'graphql/endpoint', text: 'entry(id) and entryBySlug read one entry.' },
  'graphql/collections': {
    source: 'graphql/endpoint',
    text: 'There is a collection per content type with items, total, skip and limit.',
  },
  'graphql/arguments': {
    source: 'graphql/endpoint',
    text: 'Collections take site, locale, preview, limit and skip; root queries their arguments as listed.',
  },
  'graphql/resolve-route': {
    source: 'graphql/endpoint',
    text: 'resolveRoute returns what a path resolves to.',
  },
  'graphql/asset': {
    source: 'graphql/endpoint',
    text: 'asset(id, locale) reads a media asset.',
  },
  'graphql/no-single-entry-queries': {
    source: 'graphql/endpoint',
    text: 'No type has a separate single-entry query.',
  },
  'graphql/where-not-applied': {
    source: 'graphql/endpoint',
    text: 'where and orderBy are declared and not applied.',
  },
  'graphql/search-filters': {
    source: 'graphql/filters',
    text: 'search takes filters typed by the content types, with the operators and results of where over REST.',
  },
  'graphql/descriptions': {
    source: 'graphql/types',
    text: 'Every type, field, argument and enum value is described, and the recommended rules of GraphQL-ESLint find nothing.',
  },
  'graphql/default-order': {
    source: 'graphql/endpoint',
    text: 'Collections sort by _updatedAt, newest first.',
  },
  'graphql/reads-batched': {
    source: 'graphql/reads',
    text: 'References are batched per request: as many look-ups for one entry as for a hundred.',
  },
  'graphql/plans': {
    source: 'graphql/reads',
    text: 'The plan of a query gives the result that graphql-js gives.',
  },
  'graphql/reads-three-hops': {
    source: 'graphql/reads',
    text: 'References end after 3 hops: null, or an empty list.',
  },
  'graphql/introspection': {
    source: 'graphql/introspection',
    text: 'Management and preview keys may introspect, delivery keys may not.',
  },
  'graphql/validation-first': { source: 'graphql/endpoint', text: 'Validation runs before resolvers.' },
  'graphql/types-command': {
    source: 'graphql/endpoint',
    text: 'A command emits TypeScript interfaces that match the schema of a project.',
  },
  'graphql/costs': { source: 'limits/values', text: 'Depth 10 and complexity 1000 are hard limits.' },
  'graphql/caching': {
    source: 'limits/values',
    text: 'GraphQL answers are cacheable and name what they hold; those to preview keys are not stored.',
  },
  'graphql/failures': {
    source: 'graphql/failures',
    text: 'What fails before execution is 400, 401, 403 or 413 and carries both styles of failure.',
  },
  'graphql/persisted-queries': {
    source: 'graphql/endpoint',
    text: 'A query that was sent once may be asked by its hash.',
  },
  'graphql/get': {
    source: 'graphql/endpoint',
    text: 'GET and QUERY answer what POST answers, with an entity tag; a URL above 16 KB is 414.',
  },
  'graphql/sdl': {
    source: 'graphql/introspection',
    text: 'The schema can be read as SDL, in which required fields are marked.',
  },
  'graphql/schema-current': {
    source: 'graphql/endpoint',
    text: 'The schema follows a content-type change before the change is acknowledged, and can always be built.',
  },
  'graphql/pages-for-browsers': {
    source: 'additive',
    text: 'Browsers get an API reference at /docs and a GraphQL explorer at the endpoint, from this service alone.',
  },
  'graphql/hostile-queries': {
    source: 'limits/hostile-callers',
    text: 'Hostile queries are refused with 400 or 413 before anything is read.',
  },
  'graphql/http-audits': {
    source: 'limits/hostile-callers',
    text: 'The audits of GraphQL over HTTP find no MUST that fails.',
  },
  'graphql/preview-tokens': {
    source: 'graphql/preview-tokens',
    text: 'A preview token shows the draft of the one entry that it names.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
