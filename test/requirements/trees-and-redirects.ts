import type { Requirement } from './requirement.js';

/** Trees, sites and redirects. */
export const treesAndRedirects = {
  'spec-4.3-tree': { source: 'routing/tree', text: 'Trees and their nodes.' },
  'spec-4.3-sites': { source: 'routing/sites', text: 'Sites: list, create, read, update, delete.' },
  'spec-4.3-redirects': { source: 'routing/redirects', text: 'Redirects with import and export.' },
  'dec-2.12-nodes': {
    source: 'routing/tree',
    text: 'Folders, links and pages are created, changed and deleted; a node with children only as told.',
  },
  'dec-2.12-move': {
    source: 'routing/tree',
    text: 'A branch moves with all below it; a cycle is tree_cycle, a taken path slug_conflict.',
  },
  'dec-2.12-concurrent': {
    source: 'routing/tree',
    text: 'Whatever many do at once, a tree stays a tree: positions unique and without gaps, no 5xx.',
  },
  'dec-2.12-read': {
    source: 'routing/tree',
    text: 'A tree is read nested or flat, from a node, to a depth, in a locale.',
  },
  'dec-2.12-sites': {
    source: 'routing/sites',
    text: 'A site with entries is not deleted: 409 site_not_empty.',
  },
  'dec-2.12-paths': {
    source: 'routing/tree, http/status-codes',
    text: 'A path is made of the slugs of its locale; pages follow their parents.',
  },
  'dec-2.15-rules': {
    source: 'routing/redirects',
    text: 'Redirects lead from paths to paths; a taken source is redirect_conflict.',
  },
  'dec-2.15-loops': { source: 'routing/redirects', text: 'No redirect makes a loop: 409 redirect_loop.' },
  'dec-2.15-csv': {
    source: 'routing/redirect-csv',
    text: 'CSV files are taken row by row, 10,000 at most, and a bad row never ends the run.',
  },
  'dec-2.15-export': {
    source: 'routing/redirect-csv',
    text: 'An export is a CSV file in which no cell is a formula.',
  },
  'dec-2.15-hits': {
    source: 'routing/redirects',
    text: 'Hits of redirects are counted, without a cost to reads.',
  },
  'dec-2.15-auto': {
    source: 'routing/redirects',
    text: 'A published path that changes redirects to the new one, without chains and loops.',
  },
  'dec-4.4-targets': {
    source: 'routing/redirect-targets',
    text: 'A target is a path with query and fragment or an https URL, whose host a visitor never chooses.',
  },
  'dec-4.4-queries': {
    source: 'routing/redirect-targets',
    text: 'A source may have a query; queryMatch says what happens to other parameters.',
  },
  'dec-4.4-gone': {
    source: 'routing/redirect-targets',
    text: 'A redirect with status 410 answers 410 route_gone.',
  },
  'dec-4.4-allowed-targets': {
    source: 'routing/redirect-targets',
    text: 'allowedTargets of a site limits the hosts that its redirects lead to.',
  },
  'issue-3-import': {
    source: 'operation',
    text: 'The import builds the tree of the corpus; every page answers its path in every locale.',
  },
  'issue-3-one-winner': {
    source: 'entries/write',
    text: '50 writers with one version: one 200 and 49 times 409; 50 creates with one slug: one 201.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
