import { later, type Requirement } from './requirement.js';

/** REST management. */
export const management = {
  'content/types': {
    source: 'content/types',
    text: 'Content types: list, create, read, update, delete, delete-check.',
  },
  'content/fields': { source: 'content/fields', text: 'Fields: list, add, update, delete.' },
  'entries/operations': {
    source: 'entries/write',
    text: 'Entries: list, create, read, update, soft-delete.',
  },
  'publication/publish': { source: 'publication/publish', text: 'Entries: publish and unpublish a locale.' },
  'entries/further-operations': {
    source: 'entries/write',
    text: 'Entries: duplicate, copy-locale, versions, restore, references, preview, bulk.',
  },
  'environments/operations': {
    source: 'environments/promotion',
    text: 'Environments and promotion.',
    deferred: later('environments'),
  },
  'translations/operations': {
    source: 'translations/status',
    text: 'Translation dashboard and status.',
  },
  'translations/status': {
    source: 'translations/status',
    text: 'The status of a translation follows what is written and published.',
  },
  'translations/status-set-by-hand': {
    source: 'translations/status',
    text: 'Status, assignee, priority, due time and note are set by hand; missing and the source locale are refused.',
  },
  'translations/dashboard': {
    source: 'translations/status',
    text: 'The dashboard filters and counts translations by locale, status, assignee, type and site.',
  },
  'translations/staleness': {
    source: 'translations/staleness',
    text: 'A translation is stale by content, field by field, with the source then and now.',
  },
  'translations/xliff': {
    source: 'translations/xliff',
    text: 'An entry is exported as XLIFF 2.0 and imported with a report per unit; codes are verified.',
  },
  'translations/xliff-of-published-source': {
    source: 'translations/xliff',
    text: 'XLIFF is of the published source, and a stale source is applied only on request.',
  },
  'translations/archives': {
    source: 'translations/archives',
    text: 'Archives of XLIFF files are exported and imported by jobs, each file with an outcome.',
  },
  'translations/archive-jobs': {
    source: 'translations/archives',
    text: 'Starting an export is 202 with the job; the job returns its status and a signed URL.',
  },
  'translations/suggestions': {
    source: 'translations/xliff',
    text: 'Missing fields of a translation are filled by a translation engine and await review.',
  },
  'translations/staleness-at-publish': {
    source: 'translations/staleness',
    text: 'Staleness is decided when the source is published.',
  },
  'lists/views': { source: 'lists/views', text: 'Saved views.' },
  'lists/views-shared': {
    source: 'lists/views',
    text: 'A list of views shows own and shared ones; only creators change them.',
  },
  'lists/views-applied': {
    source: 'lists/views',
    text: 'viewId applies the filters and the order of a view.',
  },
  'access/keys': { source: 'access/keys', text: 'API keys: list, create, revoke.' },
  'access/roles-and-users': { source: 'access/grants', text: 'Roles, grants and users.' },
  'events/audit-logs-stub': { source: 'events/audit', text: 'audit-logs is a stub.' },
  'delivery/search-input': {
    source: 'delivery/search',
    text: 'Any text is a query; unknown fields, facets and orders are refused.',
  },
  'publication/calendar': {
    source: 'publication/calendar',
    text: 'The calendar lists and moves scheduled jobs.',
  },
  'publication/calendar-order': {
    source: 'publication/calendar',
    text: 'The calendar lists jobs and publications, soonest first.',
  },
  'publication/calendar-feed': {
    source: 'publication/calendar',
    text: 'A signed URL gives the calendar as iCalendar, with the rights of its user or key at that time.',
  },
  'publication/calendar-changes': {
    source: 'publication/calendar',
    text: 'A waiting job can be moved or canceled.',
  },
  'content/custom-field-types': {
    source: 'content/custom-field-types',
    text: 'Custom field types are listed, registered, updated and deleted.',
  },
  'access/allowlist-operations': {
    source: 'access/allowlist',
    text: 'IP allowlist: list, add, settings, edit, delete.',
  },
  'access/tenants': {
    source: 'access/tenants',
    text: 'Tenants: list, create, read, update, deactivate; super-admins only.',
  },
  'lists/pages': {
    source: 'lists/pages',
    text: 'Lists page, sort and filter; what is out of range is refused.',
  },
  'content/names': { source: 'content/names', text: 'API names are legal, unreserved and do not collide.' },
  'content/types-in-use': {
    source: 'content/types',
    text: 'Fields with data and types with entries are not deleted by accident.',
  },
  'content/renames': {
    source: 'content/renames',
    text: 'Types and fields are renamed without loss: values, links, statuses and versions follow.',
  },
  'content/conversions-compatible': {
    source: 'content/conversions',
    text: 'A kind changes only to a compatible one.',
  },
  'environments/schema': {
    source: 'environments/schema',
    text: 'An exported schema applied elsewhere is the same there, and applied again changes nothing.',
  },
  'environments/schema-destructive': {
    source: 'environments/schema',
    text: 'Renames keep values; what deletes needs consent and says how many values are lost; the last apply can be undone.',
  },
  'content/custom-field-schemas': {
    source: 'content/custom-field-types',
    text: 'Schemas are JSON Schema 2020-12 within bounds, and values fit them on every write and at publish.',
  },
  'content/custom-field-graphql-names': {
    source: 'content/custom-field-types',
    text: 'A GraphQL name is never that of two types.',
  },
  'content/custom-field-narrowing': {
    source: 'content/custom-field-types',
    text: 'A schema that refuses stored values says which.',
  },
  'entries/status': { source: 'entries/status', text: 'Status per locale is draft, published or changed.' },
  'entries/version-conflict': { source: 'entries/write', text: 'A stale version is 409 with what changed.' },
  'entries/delete': {
    source: 'entries/delete',
    text: 'DELETE soft-deletes and unpublishes; references warn or restrict.',
  },
  'publication/publish-again': {
    source: 'publication/publish',
    text: 'Publishing again changes nothing; incomplete entries are entry_invalid.',
  },
  'lists/cursors': {
    source: 'lists/cursors',
    text: 'A list by cursor returns every item that exists throughout once; a cursor of another list is 422.',
  },
  'lists/filters-of-entries': {
    source: 'lists/filters',
    text: 'Entries are listed by type, site, locale, status, who changed them and when, and by values of fields.',
  },
  'entries/preconditions': {
    source: 'entries/write',
    text: 'ETag tells the version, If-Match is 412; a disjoint change on an old version is merged.',
  },
  'entries/duplicate': {
    source: 'entries/duplicate',
    text: 'A duplicate is a new draft whose slug steps aside.',
  },
  'entries/copy-locale': {
    source: 'entries/slugs',
    text: 'copy-locale keeps what is there unless told to overwrite.',
  },
  'entries/versions': {
    source: 'entries/versions',
    text: 'Versions are listed and read with the whole entry of then.',
  },
  'entries/versions-restore': {
    source: 'entries/versions',
    text: 'A restore appends a version and publishes nothing.',
  },
  'publication/preview-path': {
    source: 'publication/previews',
    text: 'The path of a preview link is the route that the entry will have, else the previewPath of its type.',
  },
  'entries/versions-restore-equal': {
    source: 'entries/versions',
    text: 'A restore of equal content appends a version.',
  },
  'content/values-blank': { source: 'content/values', text: 'A required text of blanks is missing.' },
  'http/input-typed': { source: 'http/input', text: 'Numbers are numbers on tRPC and MCP.' },
  'entries/undelete': { source: 'entries/delete', text: 'A deletion can be taken back.' },
  'entries/references': { source: 'entries/delete', text: 'References name entry, field and locale.' },
  'publication/publish-with-dependencies': {
    source: 'publication/publish',
    text: 'withDependencies publishes what is referred to along, all or nothing.',
  },
  'publication/schedules': {
    source: 'publication/schedules',
    text: 'Publishing and unpublishing take a future time, kept as instant, zone and wall time; a past one is 422.',
  },
  'publication/schedules-replaced': {
    source: 'publication/schedules',
    text: 'Schedules are listed and canceled; a new one of the same kind and locale replaces the waiting one, and doing it now cancels it, each with its record and event.',
  },
  'http/input-vocabulary': {
    source: 'http/input',
    text: 'Webhooks and grants can name what operations declare, and nothing else.',
  },
  'content/rich-text-input': {
    source: 'content/rich-text',
    text: 'Rich text may be written as HTML or Markdown; what is dropped is listed.',
  },
  'publication/warnings-of-links': {
    source: 'publication/blocks',
    text: 'Validation warns of links to entries that are not published.',
  },
  'entries/own-blocks': {
    source: 'entries/own-blocks',
    text: 'Blocks written in an entry are part of it: one version, record, event, publication and right.',
  },
  'delivery/own-blocks': {
    source: 'delivery/own-blocks',
    text: 'Published blocks are read within their entry and by their id, and are in no list.',
  },
  'content/conditions': {
    source: 'content/conditions',
    text: 'visibleWhen and requiredWhen depend on other fields of the entry or block, and are checked when the type is saved.',
  },
  'content/groups': {
    source: 'content/groups',
    text: 'A blocks field with one type, the shape of a group and at most one item is one object on every surface.',
  },
  'entries/copied-blocks': {
    source: 'entries/own-blocks',
    text: 'Duplicates, copies of locales, restored versions and comparisons of versions include the blocks of an entry.',
  },
  'entries/shared-blocks': {
    source: 'entries/shared-blocks',
    text: 'A block of an entry is shared as an entry with its id, and a shared one is detached as a block with a new id.',
  },
  'publication/blocks': {
    source: 'publication/blocks',
    text: 'An entry is published with its blocks; what it links is not, shared blocks included, unless withDependencies is set.',
  },
  'access/key-actions': {
    source: 'access/keys',
    text: 'A key shows the actions that its permissions come to.',
  },
  'routing/redirect-wildcards': {
    source: 'routing/redirects',
    text: 'A source with wildcards that is compared literally is accepted with a warning that names matchType.',
  },
  'publication/unpublish-redirect': {
    source: 'publication/publish',
    text: 'An unpublish leads visitors of the path to redirectTo, where it says so.',
  },
  'entries/bulk': {
    source: 'entries/bulk',
    text: 'Bulk actions have an outcome per entry, each with its own permission; 0 or more than 100 ids are 422.',
  },
  'entries/versions-publications': {
    source: 'entries/versions',
    text: 'A version lists when it went live and offline.',
  },
  'content/values-missing-links': {
    source: 'content/values',
    text: 'A link to something missing is allowed in a draft and refused at publish.',
  },
  'entries/slugs-by-language': {
    source: 'entries/slugs',
    text: 'Slugs are made as the language of the locale writes its letters, and have none that are invisible.',
  },
  'entries/slugs-stored': {
    source: 'entries/slugs',
    text: 'A slug field with a source has the slug of the entry as its value.',
  },
  'entries/slugs-taken': {
    source: 'entries/slugs',
    text: 'A slug made by the service steps aside; one given and taken is 409.',
  },
  'entries/versions-equal': {
    source: 'entries/versions',
    text: 'Writing equal values changes nothing and raises no version.',
  },
  'entries/batch': {
    source: 'additive',
    text: 'A batch writes up to 100 entries by the rules of single calls, with an outcome per item and constantly many statements.',
  },
  'entries/external-id': {
    source: 'additive',
    text: 'An external id is unique within type and environment among entries that are not deleted.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
