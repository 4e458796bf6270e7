import { later, type Requirement } from './requirement.js';

/** REST management. */
export const management = {
  'spec-4.3-content-types': {
    source: 'content/types',
    text: 'Content types: list, create, read, update, delete, delete-check.',
  },
  'spec-4.3-fields': { source: 'content/fields', text: 'Fields: list, add, update, delete.' },
  'spec-4.3-entries': { source: 'entries/write', text: 'Entries: list, create, read, update, soft-delete.' },
  'spec-4.3-publish': { source: 'publication/publish', text: 'Entries: publish and unpublish a locale.' },
  'spec-4.3-entry-extras': {
    source: 'entries/write',
    text: 'Entries: duplicate, copy-locale, versions, restore, references, preview, bulk.',
  },
  'spec-4.3-environments': {
    source: 'environments/promotion',
    text: 'Environments and promotion.',
    deferred: later('environments'),
  },
  'spec-4.3-translations': {
    source: 'translations/status',
    text: 'Translation dashboard and status.',
  },
  'dec-2.17-status': {
    source: 'translations/status',
    text: 'The status of a translation follows what is written and published.',
  },
  'dec-2.17-update': {
    source: 'translations/status',
    text: 'Status, assignee, priority, due time and note are set by hand; missing and the source locale are refused.',
  },
  'dec-2.17-dashboard': {
    source: 'translations/status',
    text: 'The dashboard filters and counts translations by locale, status, assignee, type and site.',
  },
  'dec-3.5-staleness': {
    source: 'translations/staleness',
    text: 'A translation is stale by content, field by field, with the source then and now.',
  },
  'dec-3.5-xliff': {
    source: 'translations/xliff',
    text: 'An entry is exported as XLIFF 2.0 and imported with a report per unit; codes are verified.',
  },
  'dec-3.14-xliff': {
    source: 'translations/xliff',
    text: 'XLIFF is of the published source, and a stale source is applied only on request.',
  },
  'dec-3.5-archives': {
    source: 'translations/archives',
    text: 'Archives of XLIFF files are exported and imported by jobs, each file with an outcome.',
  },
  'dec-3.14-archives': {
    source: 'translations/archives',
    text: 'Starting an export is 202 with the job; the job returns its status and a signed URL.',
  },
  'dec-3.5-suggest': {
    source: 'translations/xliff',
    text: 'Missing fields of a translation are filled by a translation engine and await review.',
  },
  'dec-3.14-staleness': {
    source: 'translations/staleness',
    text: 'Staleness is decided when the source is published.',
  },
  'spec-4.3-views': { source: 'lists/views', text: 'Saved views.' },
  'dec-2.18-views': {
    source: 'lists/views',
    text: 'A list of views shows own and shared ones; only creators change them.',
  },
  'dec-2.18-view-id': { source: 'lists/views', text: 'viewId applies the filters and the order of a view.' },
  'spec-4.3-api-keys': { source: 'access/keys', text: 'API keys: list, create, revoke.' },
  'spec-4.3-roles': { source: 'access/grants', text: 'Roles, grants and users.' },
  'spec-4.3-audit-logs': { source: 'events/audit', text: 'audit-logs is a stub.' },
  'dec-3.7-input': {
    source: 'delivery/search',
    text: 'Any text is a query; unknown fields, facets and orders are refused.',
  },
  'spec-4.3-calendar': {
    source: 'publication/calendar',
    text: 'The calendar lists and moves scheduled jobs.',
  },
  'dec-2.11-list': {
    source: 'publication/calendar',
    text: 'The calendar lists jobs and publications, soonest first.',
  },
  'dec-3.14-feed': {
    source: 'publication/calendar',
    text: 'A signed URL gives the calendar as iCalendar, with the rights of its user or key at that time.',
  },
  'dec-2.11-reschedule': { source: 'publication/calendar', text: 'A waiting job can be moved or canceled.' },
  'spec-4.3-custom-fields': {
    source: 'content/custom-field-types',
    text: 'Custom field types are listed, registered, updated and deleted.',
  },
  'spec-4.3-ip-allowlist': {
    source: 'access/allowlist',
    text: 'IP allowlist: list, add, settings, edit, delete.',
  },
  'spec-4.3-tenants': {
    source: 'access/tenants',
    text: 'Tenants: list, create, read, update, deactivate; super-admins only.',
  },
  'dec-2.6': { source: 'lists/pages', text: 'Lists page, sort and filter; what is out of range is refused.' },
  'dec-2.7-names': { source: 'content/names', text: 'API names are legal, unreserved and do not collide.' },
  'dec-2.7-in-use': {
    source: 'content/types',
    text: 'Fields with data and types with entries are not deleted by accident.',
  },
  'dec-2.7-rename': {
    source: 'content/renames',
    text: 'Types and fields are renamed without loss: values, links, statuses and versions follow.',
  },
  'dec-2.7-kind-change': { source: 'content/conversions', text: 'A kind changes only to a compatible one.' },
  'dec-3.6-schema': {
    source: 'environments/schema',
    text: 'An exported schema applied elsewhere is the same there, and applied again changes nothing.',
  },
  'dec-3.6-destructive': {
    source: 'environments/schema',
    text: 'Renames keep values; what deletes needs consent and says how many values are lost; the last apply can be undone.',
  },
  'dec-2.8-schema': {
    source: 'content/custom-field-types',
    text: 'Schemas are JSON Schema 2020-12 within bounds, and values fit them on every write and at publish.',
  },
  'dec-2.8-names': {
    source: 'content/custom-field-types',
    text: 'A GraphQL name is never that of two types.',
  },
  'dec-2.8-narrowing': {
    source: 'content/custom-field-types',
    text: 'A schema that refuses stored values says which.',
  },
  'dec-2.9-status': { source: 'entries/status', text: 'Status per locale is draft, published or changed.' },
  'dec-2.9-conflict': { source: 'entries/write', text: 'A stale version is 409 with what changed.' },
  'dec-2.9-delete': {
    source: 'entries/delete',
    text: 'DELETE soft-deletes and unpublishes; references warn or restrict.',
  },
  'dec-2.9-publish': {
    source: 'publication/publish',
    text: 'Publishing again changes nothing; incomplete entries are entry_invalid.',
  },
  'dec-2.6-cursors': {
    source: 'lists/cursors',
    text: 'A list by cursor returns every item that exists throughout once; a cursor of another list is 422.',
  },
  'dec-2.6-entries': {
    source: 'lists/filters',
    text: 'Entries are listed by type, site, locale, status, who changed them and when; a total never scans.',
  },
  'dec-2.9-preconditions': {
    source: 'entries/write',
    text: 'ETag tells the version, If-Match is 412; a disjoint change on an old version is merged.',
  },
  'dec-2.9-duplicate': {
    source: 'entries/duplicate',
    text: 'A duplicate is a new draft whose slug steps aside.',
  },
  'dec-2.9-copy-locale': {
    source: 'entries/slugs',
    text: 'copy-locale keeps what is there unless told to overwrite.',
  },
  'dec-2.9-versions': {
    source: 'entries/versions',
    text: 'Versions are listed and read with the whole entry of then.',
  },
  'dec-2.9-restore': {
    source: 'entries/versions',
    text: 'A restore appends a version and publishes nothing.',
  },
  'dec-3.1-preview-path': {
    source: 'publication/previews',
    text: 'The path of a preview link is the route that the entry will have, else the previewPath of its type.',
  },
  'dec-3.1-restore': { source: 'entries/versions', text: 'A restore of equal content appends a version.' },
  'dec-3.1-blank': { source: 'content/values', text: 'A required text of blanks is missing.' },
  'dec-3.1-typed-inputs': { source: 'http/input', text: 'Numbers are numbers on tRPC and MCP.' },
  'dec-2.9-undelete': { source: 'entries/delete', text: 'A deletion can be taken back.' },
  'dec-2.9-references': { source: 'entries/delete', text: 'References name entry, field and locale.' },
  'dec-2.9-dependencies': {
    source: 'publication/publish',
    text: 'withDependencies publishes what is referred to along, all or nothing.',
  },
  'dec-2.9-schedule': {
    source: 'publication/schedules',
    text: 'Publishing and unpublishing take a future time, kept as instant, zone and wall time; a past one is 422.',
  },
  'dec-3.11-schedules': {
    source: 'publication/schedules',
    text: 'Schedules are listed and canceled; a new one of the same kind and locale replaces the waiting one, and doing it now cancels it, each with its record and event.',
  },
  'dec-3.11-vocabulary': {
    source: 'http/input',
    text: 'Webhooks and grants can name what operations declare, and nothing else.',
  },
  'dec-3.11-rich-text': {
    source: 'content/rich-text',
    text: 'Rich text may be written as HTML or Markdown; what is dropped is listed.',
  },
  'dec-3.11-not-published': {
    source: 'publication/blocks',
    text: 'Validation warns of links to entries that are not published.',
  },
  'dec-3.11-nested-blocks': {
    source: 'entries/nested-blocks',
    text: 'Blocks are created and updated with the entry that contains them, with their own rights, versions, records and events.',
  },
  'dec-3.11-publish-blocks': {
    source: 'publication/blocks',
    text: 'Publishing an entry publishes its blocks that are not published or have changes, unless publishBlocks is false.',
  },
  'dec-3.11-keys': { source: 'access/keys', text: 'A key shows the actions that its permissions come to.' },
  'dec-3.11-wildcards': {
    source: 'routing/redirects',
    text: 'A source with wildcards that is compared literally is accepted with a warning that names matchType.',
  },
  'dec-2.9-redirect-to': {
    source: 'publication/publish',
    text: 'An unpublish leads visitors of the path to redirectTo, where it says so.',
  },
  'dec-2.9-bulk': {
    source: 'entries/bulk',
    text: 'Bulk actions have an outcome per entry, each with its own permission; 0 or more than 100 ids are 422.',
  },
  'dec-2.29-publications': {
    source: 'entries/versions',
    text: 'A version lists when it went live and offline.',
  },
  'dec-2.29-links': {
    source: 'content/values',
    text: 'A link to something missing is allowed in a draft and refused at publish.',
  },
  'dec-2.29-slugs': {
    source: 'entries/slugs',
    text: 'A slug made by the service steps aside; one given and taken is 409.',
  },
  'dec-2.29-equal': {
    source: 'entries/versions',
    text: 'Writing equal values changes nothing and raises no version.',
  },
  'add-batch': {
    source: 'additive',
    text: 'A batch writes up to 100 entries by the rules of single calls, with an outcome per item and constantly many statements.',
  },
  'add-external-id': {
    source: 'additive',
    text: 'An external id is unique within type and environment among entries that are not deleted.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
