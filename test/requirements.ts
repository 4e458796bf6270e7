/** One rule that the service promises: where it stands, what it says, and why it must wait if it does. */
interface Requirement {
  readonly source: string;
  readonly text: string;
  /** Why it is not there yet. A deferred rule must not be proven. */
  readonly deferred?: string;
}

const later = (what: string): string => `lands with ${what}`;

/** The specification's rules and the numbered decisions. Tests cite the ids with `verifies`. */
export const requirements = {
  'spec-2.1-entry': {
    source: 'spec 2.1',
    text: 'Delivery entries have the underscore keys and fields, and no version or times.',
  },
  'spec-2.1-rich-text': { source: 'spec 2.1', text: 'Rich text is delivered as raw, html and text.' },
  'spec-2.1-links': {
    source: 'spec 2.1',
    text: 'References are link objects at include=0 and full entries from 1 on.',
  },
  'spec-2.2': {
    source: 'spec 2.2',
    text: 'Routes resolve to an entry or a redirect.',
    deferred: later('tree and routing'),
  },
  'spec-2.3': { source: 'spec 2.3', text: 'Lists are { data, meta: { total, page, limit, pages } }.' },
  'spec-2.4-types': {
    source: 'spec 2.4',
    text: 'Each content type is a GraphQL type in PascalCase with its fields verbatim.',
  },
  'spec-2.4-custom': {
    source: 'spec 2.4',
    text: 'Custom field types are JSON, or a named type that follows from their schema.',
  },
  'spec-2.4-unions': { source: 'spec 2.4', text: 'References resolve to the linked type or a union.' },
  'spec-2.5': {
    source: 'spec 2.5',
    text: 'Media assets have overlays per locale.',
    deferred: later('media'),
  },
  'spec-3-locales': { source: 'spec 3', text: 'Entries are published and unpublished per locale.' },
  'spec-3-workflow': {
    source: 'spec 3',
    text: 'Entries move through workflows.',
    deferred: later('workflows'),
  },
  'spec-4-envelopes': {
    source: 'spec 4',
    text: 'Success is { data }, failure { error, message, details? }.',
  },
  'spec-4.1-entry': {
    source: 'spec 4.1',
    text: 'GET entries/{id} answers one entry resolved for the locale.',
  },
  'spec-4.1-include': {
    source: 'spec 4.1.3',
    text: 'include expands 0 to 3 hops; a revisited id stays a link.',
  },
  'spec-4.1-list': { source: 'spec 4.1', text: 'GET content/{type} pages entries with full values.' },
  'spec-4.1-order': {
    source: 'spec 4.1.2',
    text: 'The content list sorts by updatedAt:desc unless told otherwise.',
  },
  'spec-4.1-no-field-sort': { source: 'spec 4.1.4', text: 'Delivery does not sort by fields.' },
  'spec-4.1-routes': {
    source: 'spec 4.1',
    text: 'GET routes resolves a path.',
    deferred: later('tree and routing'),
  },
  'spec-4.1-media': {
    source: 'spec 4.1',
    text: 'GET media/{assetId} answers metadata with overlay.',
    deferred: later('media'),
  },
  'spec-4.1-sitemap': {
    source: 'spec 4.1.1',
    text: 'The sitemap lists alternates.',
    deferred: later('tree and routing'),
  },
  'spec-4.2-entry': { source: 'spec 4.2', text: 'entry(id) and entryBySlug read one entry.' },
  'spec-4.2-collection': {
    source: 'spec 4.2',
    text: 'There is a collection per content type with items, total, skip and limit.',
  },
  'spec-4.2-ignored': { source: 'spec 4.2.2', text: 'where and orderBy are declared and not applied.' },
  'spec-4.2-batching': {
    source: 'spec 4.2.3',
    text: 'References are batched: one look-up per hop and field.',
  },
  'spec-4.2-hops': { source: 'spec 4.2.4', text: 'References end after 3 hops: null, or an empty list.' },
  'spec-4.2-introspection': { source: 'spec 4.2.5', text: 'Delivery keys cannot introspect.' },
  'spec-4.2-validation': { source: 'spec 4.2.6', text: 'Validation runs before resolvers.' },
  'spec-4.2-types-cli': {
    source: 'spec 4.2.7',
    text: 'A command emits TypeScript interfaces.',
    deferred: later('GraphQL, complete'),
  },
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
  'spec-4.3-tree': {
    source: 'spec 4.3',
    text: 'Trees and their nodes.',
    deferred: later('tree and routing'),
  },
  'spec-4.3-sites': { source: 'spec 4.3', text: 'Sites: list, create, read, update, delete.' },
  'spec-4.3-redirects': {
    source: 'spec 4.3',
    text: 'Redirects with import and export.',
    deferred: later('redirects'),
  },
  'spec-4.3-environments': {
    source: 'spec 4.3',
    text: 'Environments and promotion.',
    deferred: later('environments'),
  },
  'spec-4.3-translations': {
    source: 'spec 4.3',
    text: 'Translation dashboard and status.',
    deferred: later('translations'),
  },
  'spec-4.3-views': { source: 'spec 4.3', text: 'Saved views.', deferred: later('saved views') },
  'spec-4.3-api-keys': { source: 'spec 4.3', text: 'API keys: list, create, revoke.' },
  'spec-4.3-webhooks': { source: 'spec 4.3', text: 'Webhooks.', deferred: later('webhooks') },
  'spec-4.3-roles': { source: 'spec 4.3', text: 'Roles, grants and users.', deferred: later('roles') },
  'spec-4.3-audit-logs': { source: 'spec 4.3', text: 'audit-logs is a stub.', deferred: later('audit') },
  'spec-4.3-search': {
    source: 'spec 4.3',
    text: 'Search, calendar, reports, governance.',
    deferred: later('search and reports'),
  },
  'spec-4.3-custom-fields': {
    source: 'spec 4.3',
    text: 'Custom field types are listed, registered, updated and deleted.',
  },
  'spec-4.3-ip-allowlist': { source: 'spec 4.3', text: 'IP allowlist.', deferred: later('access') },
  'spec-4.3-tenants': {
    source: 'spec 4.3',
    text: 'Tenants: list, create, read, update, deactivate; super-admins only.',
  },
  'spec-4.4-transport': { source: 'spec 4.4', text: 'MCP speaks streamable HTTP with GET and POST.' },
  'spec-4.4-tools': {
    source: 'spec 4.4',
    text: 'The tools of the table do what it says (get_tree lands with the tree).',
  },
  'spec-4.4-resources': { source: 'spec 4.4', text: 'Content types and sites are resources.' },
  'spec-5-table': { source: 'spec 5', text: 'Each interface accepts the credentials of the table.' },
  'spec-5-1': {
    source: 'spec 5.1',
    text: 'Without a credential, delivery reads what is published and nothing else opens.',
  },
  'spec-5-1-preview': { source: 'spec 5.1', text: 'A preview key adds drafts.' },
  'spec-5-3': {
    source: 'spec 5.3',
    text: 'A delivery key on MCP is 403 wrong_key_type; sessions are not accepted.',
  },
  'spec-5-4': { source: 'spec 5.4', text: 'Each tool call needs its action; an empty list means all.' },
  'spec-5-6': { source: 'spec 5.6', text: 'Scoping to sites is not applied to reads.' },
  'spec-5-7': { source: 'spec 5.7', text: 'Audit records of MCP calls carry the key’s id and type.' },
  'spec-6-audit': { source: 'spec 6', text: 'Every mutation leaves one audit record with before and after.' },
  'spec-7-422': { source: 'spec 7', text: 'Input of the wrong shape is 422 with details.' },
  'spec-8-headers': {
    source: 'spec 8',
    text: 'Delivery answers carry Cache-Control, Surrogate-Key and X-Request-Id.',
  },
  'spec-8-region': { source: 'spec 8', text: 'X-Service-Data-Region is present when it is configured.' },
  'spec-8-limit': { source: 'spec 8', text: 'limit is 25 by default and at most 100.' },
  'spec-8-graphql': { source: 'spec 8', text: 'Depth 10 and complexity 1000 are hard limits.' },
  'spec-9-version': { source: 'spec 9.2', text: 'Updates pass the version: of two writers one wins.' },
  'dec-2.1-201': {
    source: '2.1',
    text: 'Create answers 201 with Location; DELETE 200 with what was deleted.',
  },
  'dec-2.1-input': { source: '2.1', text: 'invalid_json 400, media type 415, too large 413, shape 422.' },
  'dec-2.1-unknown-keys': {
    source: '2.1',
    text: 'Unknown body keys are refused, one issue each; unknown query parameters are ignored.',
  },
  'dec-2.1-put': { source: '2.1', text: 'PUT is partial; nothing to change is no_update_fields.' },
  'dec-2.1-405': { source: '2.1', text: 'Unknown route 404 not_found, wrong method 405 with Allow.' },
  'dec-2.1-request-id': { source: '2.1', text: 'X-Request-Id is echoed or made, on every response.' },
  'dec-2.2-none': { source: '2.2', text: 'No credential is 401 unauthorized with a challenge.' },
  'dec-2.2-unknown': {
    source: '2.2',
    text: 'An unknown or malformed credential is 401 and never falls back.',
  },
  'dec-2.2-revoked': { source: '2.2', text: 'Revoked and expired keys have codes of their own.' },
  'dec-2.2-wrong-type': { source: '2.2', text: 'A key of the wrong type is 403.' },
  'dec-2.2-other-project': { source: '2.2', text: 'A key of another project is 403 wrong_project.' },
  'dec-2.2-no-grant': { source: '2.2', text: 'A key without the action is 403 permission_denied.' },
  'dec-2.2-inactive': { source: '2.2', text: 'An inactive tenant is 403 tenant_inactive on all interfaces.' },
  'dec-2.3-verify': { source: '2.3', text: 'Tokens are verified: algorithm, type, issuer, audience, times.' },
  'dec-2.3-login': {
    source: '2.3',
    text: 'Login answers a token; wrong address and wrong password look alike.',
  },
  'dec-2.3-no-sessions-elsewhere': {
    source: '2.3',
    text: 'A token on delivery, GraphQL or MCP is 401 invalid_api_key.',
  },
  'dec-2.4-secret': { source: '2.4', text: 'A secret is shown once and stored as a hash only.' },
  'dec-2.4-defaults': { source: '2.4', text: 'permissions default by type.' },
  'dec-2.5': { source: '2.5', text: 'Rate limits.', deferred: later('access') },
  'dec-2.6': { source: '2.6', text: 'Lists page, sort and filter; what is out of range is refused.' },
  'dec-2.7-names': { source: '2.7', text: 'API names are legal, unreserved and do not collide.' },
  'dec-2.7-in-use': {
    source: '2.7',
    text: 'Fields with data and types with entries are not deleted by accident.',
  },
  'dec-2.7-kind-change': { source: '2.7', text: 'A kind changes only to a compatible one.' },
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
  'dec-2.9-undelete': { source: '2.9', text: 'A deletion can be taken back.' },
  'dec-2.9-references': { source: '2.9', text: 'References name entry, field and locale.' },
  'dec-2.9-dependencies': {
    source: '2.9',
    text: 'withDependencies publishes what is referred to along, all or nothing.',
  },
  'dec-2.19': {
    source: '2.19',
    text: 'A preview token shows the draft of one entry in one locale, and expires.',
  },
  'dec-2.29-publications': { source: '2.29', text: 'A version lists when it went live and offline.' },
  'arch-7-read-model': {
    source: 'architecture 7',
    text: 'The published documents are those of the versions that are live, whatever happened before.',
  },
  'dec-2.13-delivery': {
    source: '2.13',
    text: 'Not live, unknown locale and unknown type are 404 with their codes.',
  },
  'dec-2.21-append-only': { source: '2.21', text: 'Audit records cannot be changed or deleted.' },
  'dec-2.26-tenants': {
    source: '2.26',
    text: 'Tenants have locales, one of them the default; one in use cannot be removed.',
  },
  'dec-2.27-fallback': {
    source: '2.27',
    text: 'Where an entry is not published in a locale, its fallbacks are followed.',
  },
  'dec-2.27-slugs': { source: '2.27', text: 'Slugs are unique per site, locale and type.' },
  'dec-2.29-links': {
    source: '2.29',
    text: 'A link to something missing is allowed in a draft and refused at publish.',
  },
  'dec-2.29-missing': {
    source: '2.29',
    text: 'Missing things in the path are 404, in the body 404 with details.path.',
  },
  'dec-2.29-slugs': {
    source: '2.29',
    text: 'A slug made by the service steps aside; one given and taken is 409.',
  },
  'dec-2.29-cross-site': { source: '2.29', text: 'An entry is delivered only under its own site.' },
  'dec-2.29-equal': { source: '2.29', text: 'Writing equal values changes nothing and raises no version.' },
  'dec-2.30-wrong-project': {
    source: '2.30',
    text: 'A key on another project is refused alike, existing or not.',
  },
  'dec-2.30-sites': {
    source: '2.30',
    text: 'A write outside the key’s sites is refused with details.siteId.',
  },
  'hard-gate': {
    source: 'hardening 1',
    text: 'Nothing from outside is altered: kept exactly or refused with 422.',
  },
  'hard-walls': {
    source: 'hardening 1',
    text: 'Two walls stand between tenants; the service cannot pass them.',
  },
  'hard-away': {
    source: 'hardening 1',
    text: 'Without its database the service answers 503 and recovers by itself.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;

/** The id of a requirement. */
export type RequirementId = keyof typeof requirements;
