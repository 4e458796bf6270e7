import type { Requirement } from './requirement.js';

/** Search, reports and governance. */
export const insight = {
  'search/drafts': {
    source: 'search/drafts',
    text: 'Search finds, filters, sorts and counts entries.',
  },
  'reports/list': {
    source: 'reports/parameters',
    text: 'Reports of publications, users, keys, content types and the health of content.',
  },
  'reports/activity': {
    source: 'reports/activity',
    text: 'Reports of publications, users and keys count by day, week or month of a time zone, also as CSV.',
  },
  'reports/content-health': {
    source: 'reports/content-health',
    text: 'A report finds issues of entries and redirects, which equal a recount of all rows.',
  },
  'reports/content-health-stored': {
    source: 'reports/content-health',
    text: 'Issues of entries are stored by a job; the report adds what the job has not considered.',
  },
  'reports/activity-counts': {
    source: 'reports/activity',
    text: 'Reports of activity read counts, and records only where they list or have not counted them.',
  },
  'reports/schema-usage': {
    source: 'reports/activity',
    text: 'A report counts entries of each content type and values of each field.',
  },
  'reports/custom': {
    source: 'reports/custom',
    text: 'Custom reports: list, create, update, delete.',
  },
  'reports/custom-limits': {
    source: 'reports/custom',
    text: 'A custom report counts a source by up to two keys, within limits, and what the caller may read.',
  },
  'reports/charts': {
    source: 'reports/activity',
    text: 'Reports are also charts, readable in light and dark, without scripts and requests.',
  },
  'reports/activity-complete': {
    source: 'reports/activity',
    text: 'Reports read roll-ups and the records not yet in them.',
  },
  'reports/calls-of-keys': {
    source: 'reports/activity',
    text: 'Calls of keys are counted if they succeed; failures and refusals by rate limits apart.',
  },
  'governance/analysis': {
    source: 'governance/issues',
    text: 'Governance: the last analysis, analyze, issues, acknowledge.',
  },
  'governance/detectors': {
    source: 'governance/issues',
    text: 'Each detector opens issues with evidence where its rule applies, and none elsewhere.',
  },
  'governance/issues': {
    source: 'governance/issues',
    text: 'Analysis is incremental and idempotent; issues reopen with new evidence and end when it is gone.',
  },
  'search/drafts-by-text-and-fields': {
    source: 'search/drafts',
    text: 'Drafts are found by text and fields, with facets and highlights.',
  },
  'search/index-command': {
    source: 'search/index',
    text: 'A reindex has no effect in the database, and begins a new index in OpenSearch.',
  },
  'search/index-rebuild': {
    source: 'search/index',
    text: 'A new index replaces the former when it is complete; changes that come late or twice are refused.',
  },
  'search/index-unavailable': {
    source: 'search/index',
    text: 'Without its engine, search is 503; everything else works, and changes wait.',
  },
  'search/words': {
    source: 'search/words',
    text: 'Every language is found by its own words: stems, accents, pairs of characters, typing errors.',
  },
  'search/queries': {
    source: 'search/queries',
    text: 'Queries have phrases, alternatives and words to leave out; none is an error.',
  },
  'search/settings': {
    source: 'search/settings',
    text: 'Synonyms and boosts of an environment are validated, follow renames, and apply to all searches at once.',
  },
  'search/suggestions': {
    source: 'search/suggestions',
    text: 'Suggestions complete a query by words and titles that the caller may read.',
  },
  'reports/empty-searches': {
    source: 'reports/empty-searches',
    text: 'Queries without results are counted by site and locale, of readers and of editors.',
  },
  'search/rights': {
    source: 'search/drafts',
    text: 'Totals and facets count only what the caller may read.',
  },
  'search/meaning': {
    source: 'search/meaning',
    text: 'Content is found by its meaning, alone and together with words, under the same rights.',
  },
  'search/embedding': {
    source: 'search/meaning',
    text: 'An embedding server that fails stops searches by meaning only; an unchanged text is sent once, with another model all again.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
