import { later, type Requirement } from './requirement.js';

/** Chapter 4.3, REST management; decisions 2.6–2.9. */
export const management = {
  'spec-4.3-content-types': {
    source: 'spec 4.3',
    text: 'Content types: list, create, read, update, delete, delete-check.',
  },
  'spec-4.3-fields': { source: 'spec 4.3', text: 'Fields: list, add, update, delete.' },
  'spec-4.3-entries': { source: 'spec 4.3', text: 'Entries: list, create, read, update, soft-delete.' },
  'spec-4.3-publish': { source: 'spec 4.3', text: 'Entries: publish and unpublish a locale.' },
  'spec-4.3-entry-extras': {
    source: 'spec 4.3',
    text: 'Entries: duplicate, copy-locale, versions, restore, references, preview, bulk.',
  },
  'spec-4.3-environments': {
    source: 'spec 4.3',
    text: 'Environments and promotion.',
    deferred: later('environments'),
  },
  'spec-4.3-translations': {
    source: 'spec 4.3',
    text: 'Translation dashboard and status.',
  },
  'dec-2.17-status': {
    source: '2.17',
    text: 'The status of a translation follows what is written and published.',
  },
  'dec-2.17-update': {
    source: '2.17',
    text: 'Status, assignee, priority, due time and note are set by hand; missing and the source locale are refused.',
  },
  'dec-2.17-dashboard': {
    source: '2.17',
    text: 'The dashboard filters and counts translations by locale, status, assignee, type and site.',
  },
  'dec-3.5-staleness': {
    source: '3.5',
    text: 'A translation is stale by content, field by field, with the source then and now.',
  },
  'dec-3.5-xliff': {
    source: '3.5',
    text: 'An entry is exported as XLIFF 2.0 and imported with a report per unit; codes are verified.',
  },
  'dec-3.14-xliff': {
    source: '3.14',
    text: 'XLIFF is of the published source, and a stale source is applied only on request.',
  },
  'dec-3.5-archives': {
    source: '3.5',
    text: 'Archives of XLIFF files are exported and imported by jobs, each file with an outcome.',
  },
  'dec-3.14-archives': {
    source: '3.14',
    text: 'Starting an export is 202 with the job; the job returns its status and a signed URL.',
  },
  'dec-3.5-suggest': {
    source: '3.5',
    text: 'Missing fields of a translation are filled by a translation engine and await review.',
  },
  'dec-3.14-staleness': { source: '3.14', text: 'Staleness is decided when the source is published.' },
  'spec-4.3-views': { source: 'spec 4.3', text: 'Saved views.' },
  'dec-2.18-views': {
    source: '2.18',
    text: 'A list of views shows own and shared ones; only creators change them.',
  },
  'dec-2.18-view-id': { source: '2.18', text: 'viewId applies the filters and the order of a view.' },
  'spec-4.3-api-keys': { source: 'spec 4.3', text: 'API keys: list, create, revoke.' },
  'spec-4.3-roles': { source: 'spec 4.3', text: 'Roles, grants and users.' },
  'spec-4.3-audit-logs': { source: 'spec 4.3', text: 'audit-logs is a stub.' },
  'spec-4.3-search': {
    source: 'spec 4.3',
    text: 'Search finds, filters, sorts and counts entries.',
  },
  'spec-4.3-reports': {
    source: 'spec 4.3',
    text: 'Reports of publications, users, keys, content types and the health of content.',
  },
  'dec-2.23-activity': {
    source: '2.23',
    text: 'Reports of publications, users and keys count by day, week or month of a time zone, also as CSV.',
  },
  'dec-2.23-content-health': {
    source: '2.23',
    text: 'A report finds issues of entries and redirects, which equal a recount of all rows.',
  },
  'dec-2.23-stored-health': {
    source: '2.23',
    text: 'Issues of entries are stored by a job; the report adds what the job has not considered.',
  },
  'dec-2.23-roll-ups': {
    source: '2.23',
    text: 'Reports of activity read counts, and records only where they list or have not counted them.',
  },
  'dec-2.23-schema-usage': {
    source: '2.23',
    text: 'A report counts entries of each content type and values of each field.',
  },
  'spec-4.3-custom-reports': { source: 'spec 4.3', text: 'Custom reports: list, create, update, delete.' },
  'dec-2.23-custom-reports': {
    source: '2.23',
    text: 'A custom report counts a source by up to two keys, within limits, and what the caller may read.',
  },
  'dec-3.8-charts': {
    source: '3.8',
    text: 'Reports are also charts, readable in light and dark, without scripts and requests.',
  },
  'dec-3.8-roll-ups': { source: '3.8', text: 'Reports read roll-ups and the records not yet in them.' },
  'dec-3.14-calls': {
    source: '3.14',
    text: 'Calls of keys are counted if they succeed; failures and refusals by rate limits apart.',
  },
  'spec-4.3-governance': {
    source: 'spec 4.3',
    text: 'Governance: the last analysis, analyze, issues, acknowledge.',
  },
  'dec-2.23-detectors': {
    source: '2.23',
    text: 'Each detector opens issues with evidence where its rule applies, and none elsewhere.',
  },
  'dec-3.8-issues': {
    source: '3.8',
    text: 'Analysis is incremental and idempotent; issues reopen with new evidence and end when it is gone.',
  },
  'dec-2.22-search': {
    source: '2.22',
    text: 'Drafts are found by text and fields, with facets and highlights.',
  },
  'dec-2.22-reindex': {
    source: '2.22',
    text: 'A reindex has no effect in the database, and begins a new index in OpenSearch.',
  },
  'dec-3.7-rebuild': {
    source: '3.7',
    text: 'A new index replaces the former when it is complete; changes that come late or twice are refused.',
  },
  'dec-3.7-engine-faults': {
    source: '3.7',
    text: 'Without its engine, search is 503; everything else works, and changes wait.',
  },
  'dec-3.7-text': {
    source: '3.7',
    text: 'Every language is found by its own words: stems, accents, pairs of characters, typing errors.',
  },
  'dec-3.7-rights': { source: '3.7', text: 'Totals and facets count only what the caller may read.' },
  'dec-3.7-semantic': {
    source: '3.7',
    text: 'Content is found by its meaning, alone and together with words, under the same rights.',
  },
  'dec-3.7-embedding': {
    source: '3.7',
    text: 'An embedding server that fails stops searches by meaning only; an unchanged text is sent once, with another model all again.',
  },
  'dec-3.7-input': {
    source: '3.7',
    text: 'Any text is a query; unknown fields, facets and orders are refused.',
  },
  'spec-4.3-calendar': { source: 'spec 4.3', text: 'The calendar lists and moves scheduled jobs.' },
  'dec-2.11-list': { source: '2.11', text: 'The calendar lists jobs and publications, soonest first.' },
  'dec-3.14-feed': {
    source: '3.14',
    text: 'A signed URL gives the calendar as iCalendar, with the rights of its user or key at that time.',
  },
  'dec-2.11-reschedule': { source: '2.11', text: 'A waiting job can be moved or canceled.' },
  'spec-4.3-custom-fields': {
    source: 'spec 4.3',
    text: 'Custom field types are listed, registered, updated and deleted.',
  },
  'spec-4.3-ip-allowlist': { source: 'spec 4.3', text: 'IP allowlist: list, add, settings, edit, delete.' },
  'spec-4.3-tenants': {
    source: 'spec 4.3',
    text: 'Tenants: list, create, read, update, deactivate; super-admins only.',
  },
  'dec-2.6': { source: '2.6', text: 'Lists page, sort and filter; what is out of range is refused.' },
  'dec-2.7-names': { source: '2.7', text: 'API names are legal, unreserved and do not collide.' },
  'dec-2.7-in-use': {
    source: '2.7',
    text: 'Fields with data and types with entries are not deleted by accident.',
  },
  'dec-2.7-rename': {
    source: '2.7',
    text: 'Types and fields are renamed without loss: values, links, statuses and versions follow.',
  },
  'dec-2.7-kind-change': { source: '2.7', text: 'A kind changes only to a compatible one.' },
  'dec-3.6-schema': {
    source: '3.6',
    text: 'An exported schema applied elsewhere is the same there, and applied again changes nothing.',
  },
  'dec-3.6-destructive': {
    source: '3.6',
    text: 'Renames keep values; what deletes needs consent and says how many values are lost; the last apply can be undone.',
  },
  'dec-2.8-schema': {
    source: '2.8',
    text: 'Schemas are JSON Schema 2020-12 within bounds, and values fit them on every write and at publish.',
  },
  'dec-2.8-names': { source: '2.8', text: 'A GraphQL name is never that of two types.' },
  'dec-2.8-narrowing': { source: '2.8', text: 'A schema that refuses stored values says which.' },
  'dec-2.9-status': { source: '2.9', text: 'Status per locale is draft, published or changed.' },
  'dec-2.9-conflict': { source: '2.9', text: 'A stale version is 409 with what changed.' },
  'dec-2.9-delete': {
    source: '2.9',
    text: 'DELETE soft-deletes and unpublishes; references warn or restrict.',
  },
  'dec-2.9-publish': {
    source: '2.9',
    text: 'Publishing again changes nothing; incomplete entries are entry_invalid.',
  },
  'dec-2.6-cursors': {
    source: '2.6',
    text: 'A list by cursor returns every item that exists throughout once; a cursor of another list is 422.',
  },
  'dec-2.6-entries': {
    source: '2.6',
    text: 'Entries are listed by type, site, locale, status, who changed them and when; a total never scans.',
  },
  'dec-2.9-preconditions': {
    source: '2.9',
    text: 'ETag tells the version, If-Match is 412; a disjoint change on an old version is merged.',
  },
  'dec-2.9-duplicate': { source: '2.9', text: 'A duplicate is a new draft whose slug steps aside.' },
  'dec-2.9-copy-locale': { source: '2.9', text: 'copy-locale keeps what is there unless told to overwrite.' },
  'dec-2.9-versions': { source: '2.9', text: 'Versions are listed and read with the whole entry of then.' },
  'dec-2.9-restore': { source: '2.9', text: 'A restore appends a version and publishes nothing.' },
  'dec-3.1-preview-path': {
    source: '3.1',
    text: 'The path of a preview link is the route that the entry will have, else the previewPath of its type.',
  },
  'dec-3.1-restore': { source: '3.1', text: 'A restore of equal content appends a version.' },
  'dec-3.1-blank': { source: '3.1', text: 'A required text of blanks is missing.' },
  'dec-3.1-typed-inputs': { source: '3.1', text: 'Numbers are numbers on tRPC and MCP.' },
  'dec-2.9-undelete': { source: '2.9', text: 'A deletion can be taken back.' },
  'dec-2.9-references': { source: '2.9', text: 'References name entry, field and locale.' },
  'dec-2.9-dependencies': {
    source: '2.9',
    text: 'withDependencies publishes what is referred to along, all or nothing.',
  },
  'dec-2.9-schedule': {
    source: '2.9',
    text: 'Publishing and unpublishing take a future time, kept as instant, zone and wall time; a past one is 422.',
  },
  'dec-3.11-schedules': {
    source: '3.11',
    text: 'Schedules are listed and canceled; a new one of the same kind and locale replaces the waiting one, and doing it now cancels it, each with its record and event.',
  },
  'dec-3.11-vocabulary': {
    source: '3.11',
    text: 'Webhooks and grants can name what operations declare, and nothing else.',
  },
  'dec-3.11-rich-text': {
    source: '3.11',
    text: 'Rich text may be written as HTML or Markdown; what is dropped is listed.',
  },
  'dec-3.11-not-published': {
    source: '3.11',
    text: 'Validation warns of links to entries that are not published.',
  },
  'dec-3.11-nested-blocks': {
    source: '3.11',
    text: 'Blocks are created and updated with the entry that contains them, with their own rights, versions, records and events.',
  },
  'dec-3.11-publish-blocks': {
    source: '3.11',
    text: 'Publishing an entry publishes its blocks that are not published or have changes, unless publishBlocks is false.',
  },
  'dec-3.11-keys': { source: '3.11', text: 'A key shows the actions that its permissions come to.' },
  'dec-3.11-wildcards': {
    source: '3.11',
    text: 'A source with wildcards that is compared literally is accepted with a warning that names matchType.',
  },
  'dec-2.9-redirect-to': {
    source: '2.9',
    text: 'An unpublish leads visitors of the path to redirectTo, where it says so.',
  },
  'dec-2.9-bulk': {
    source: '2.9',
    text: 'Bulk actions have an outcome per entry, each with its own permission; 0 or more than 100 ids are 422.',
  },
  'dec-2.29-publications': { source: '2.29', text: 'A version lists when it went live and offline.' },
  'dec-2.29-links': {
    source: '2.29',
    text: 'A link to something missing is allowed in a draft and refused at publish.',
  },
  'dec-2.29-slugs': {
    source: '2.29',
    text: 'A slug made by the service steps aside; one given and taken is 409.',
  },
  'dec-2.29-equal': { source: '2.29', text: 'Writing equal values changes nothing and raises no version.' },
  'add-batch': {
    source: 'additive',
    text: 'A batch writes up to 100 entries by the rules of single calls, with an outcome per item and constantly many statements.',
  },
  'add-external-id': {
    source: 'additive',
    text: 'An external id is unique within type and environment among entries that are not deleted.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
