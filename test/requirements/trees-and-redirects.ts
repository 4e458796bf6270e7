import type { Requirement } from './requirement.js';

/** Trees, sites and redirects. */
export const treesAndRedirects = {
  'routing/tree': { source: 'routing/tree', text: 'Trees and their nodes.' },
  'routing/sites': { source: 'routing/sites', text: 'Sites: list, create, read, update, delete.' },
  'routing/redirects': { source: 'routing/redirects', text: 'Redirects with import and export.' },
  'routing/tree-nodes': {
    source: 'routing/tree',
    text: 'Folders, links and pages are created, changed and deleted; a node with children only as told.',
  },
  'routing/tree-moves': {
    source: 'routing/tree',
    text: 'A branch moves with all below it; a cycle is tree_cycle, a taken path slug_conflict.',
  },
  'routing/tree-reserved': {
    source: 'routing/tree',
    text: 'No page or folder gets a path that starts with a locale prefix of its site.',
  },
  'routing/tree-concurrent-writes': {
    source: 'routing/tree',
    text: 'Whatever many do at once, a tree stays a tree: positions unique and without gaps, no 5xx.',
  },
  'routing/tree-read': {
    source: 'routing/tree',
    text: 'A tree is read nested or flat, from a node, to a depth, in a locale.',
  },
  'routing/sites-not-empty': {
    source: 'routing/sites',
    text: 'A site with entries is not deleted: 409 site_not_empty.',
  },
  'routing/tree-paths': {
    source: 'routing/tree, http/status-codes',
    text: 'A path is made of the slugs of its locale; pages follow their parents.',
  },
  'routing/redirect-sources': {
    source: 'routing/redirects',
    text: 'Redirects lead from paths to paths; a taken source is redirect_conflict.',
  },
  'routing/redirect-loops': {
    source: 'routing/redirects',
    text: 'No redirect makes a loop: 409 redirect_loop.',
  },
  'routing/redirect-csv': {
    source: 'routing/redirect-csv',
    text: 'CSV files are taken row by row, 10,000 at most, and a bad row never ends the run.',
  },
  'routing/redirect-csv-dialects': {
    source: 'routing/redirect-csv',
    text: 'CSV files are read with the delimiters, encodings and media types that spreadsheets give them.',
  },
  'routing/redirect-csv-export': {
    source: 'routing/redirect-csv',
    text: 'An export is a CSV file in which no cell is a formula.',
  },
  'routing/redirect-hits': {
    source: 'routing/redirects',
    text: 'Hits of redirects are counted, without a cost to reads.',
  },
  'routing/redirects-of-changed-paths': {
    source: 'routing/redirects',
    text: 'A published path that changes redirects to the new one, without chains and loops.',
  },
  'routing/redirect-targets': {
    source: 'routing/redirect-targets',
    text: 'A target is a path with query and fragment or an https URL, whose host a visitor never chooses.',
  },
  'routing/redirect-queries': {
    source: 'routing/redirect-targets',
    text: 'A source may have a query; queryMatch says what happens to other parameters.',
  },
  'routing/redirect-gone': {
    source: 'routing/redirect-targets',
    text: 'A redirect with status 410 answers 410 route_gone.',
  },
  'routing/redirect-allowed-targets': {
    source: 'routing/redirect-targets',
    text: 'allowedTargets of a site limits the hosts that its redirects lead to.',
  },
  'routing/tree-import': {
    source: 'operation',
    text: 'The import builds the tree of the corpus; every page answers its path in every locale.',
  },
  'entries/write-one-winner': {
    source: 'entries/write',
    text: '50 writers with one version: one 200 and 49 times 409; 50 creates with one slug: one 201.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
