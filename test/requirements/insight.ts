import type { Requirement } from './requirement.js';

/** Search, reports and governance. */
export const insight = {
  'spec-4.3-search': {
    source: 'search/drafts',
    text: 'Search finds, filters, sorts and counts entries.',
  },
  'spec-4.3-reports': {
    source: 'reports/parameters',
    text: 'Reports of publications, users, keys, content types and the health of content.',
  },
  'dec-2.23-activity': {
    source: 'reports/activity',
    text: 'Reports of publications, users and keys count by day, week or month of a time zone, also as CSV.',
  },
  'dec-2.23-content-health': {
    source: 'reports/content-health',
    text: 'A report finds issues of entries and redirects, which equal a recount of all rows.',
  },
  'dec-2.23-stored-health': {
    source: 'reports/content-health',
    text: 'Issues of entries are stored by a job; the report adds what the job has not considered.',
  },
  'dec-2.23-roll-ups': {
    source: 'reports/activity',
    text: 'Reports of activity read counts, and records only where they list or have not counted them.',
  },
  'dec-2.23-schema-usage': {
    source: 'reports/activity',
    text: 'A report counts entries of each content type and values of each field.',
  },
  'spec-4.3-custom-reports': {
    source: 'reports/custom',
    text: 'Custom reports: list, create, update, delete.',
  },
  'dec-2.23-custom-reports': {
    source: 'reports/custom',
    text: 'A custom report counts a source by up to two keys, within limits, and what the caller may read.',
  },
  'dec-3.8-charts': {
    source: 'reports/activity',
    text: 'Reports are also charts, readable in light and dark, without scripts and requests.',
  },
  'dec-3.8-roll-ups': {
    source: 'reports/activity',
    text: 'Reports read roll-ups and the records not yet in them.',
  },
  'dec-3.14-calls': {
    source: 'reports/activity',
    text: 'Calls of keys are counted if they succeed; failures and refusals by rate limits apart.',
  },
  'spec-4.3-governance': {
    source: 'governance/issues',
    text: 'Governance: the last analysis, analyze, issues, acknowledge.',
  },
  'dec-2.23-detectors': {
    source: 'governance/issues',
    text: 'Each detector opens issues with evidence where its rule applies, and none elsewhere.',
  },
  'dec-3.8-issues': {
    source: 'governance/issues',
    text: 'Analysis is incremental and idempotent; issues reopen with new evidence and end when it is gone.',
  },
  'dec-2.22-search': {
    source: 'search/drafts',
    text: 'Drafts are found by text and fields, with facets and highlights.',
  },
  'dec-2.22-reindex': {
    source: 'search/index',
    text: 'A reindex has no effect in the database, and begins a new index in OpenSearch.',
  },
  'dec-3.7-rebuild': {
    source: 'search/index',
    text: 'A new index replaces the former when it is complete; changes that come late or twice are refused.',
  },
  'dec-3.7-engine-faults': {
    source: 'search/index',
    text: 'Without its engine, search is 503; everything else works, and changes wait.',
  },
  'dec-3.7-text': {
    source: 'search/words',
    text: 'Every language is found by its own words: stems, accents, pairs of characters, typing errors.',
  },
  'dec-3.7-rights': {
    source: 'search/drafts',
    text: 'Totals and facets count only what the caller may read.',
  },
  'dec-3.7-semantic': {
    source: 'search/meaning',
    text: 'Content is found by its meaning, alone and together with words, under the same rights.',
  },
  'dec-3.7-embedding': {
    source: 'search/meaning',
    text: 'An embedding server that fails stops searches by meaning only; an unchanged text is sent once, with another model all again.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
