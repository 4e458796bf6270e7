import type { Requirement } from './requirement.js';

/** The numbered decisions and the rules of hardening. */
export const decided = {
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
  'dec-2.1-idempotency': {
    source: '2.1',
    text: 'A POST with an Idempotency-Key takes effect once and is answered alike for 24 hours, also after a kill.',
  },
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
  'dec-2.3-refresh': {
    source: '2.3',
    text: 'Refresh rotates; a token that comes twice ends its session, as logout does, with every token of it.',
  },
  'dec-2.3-attempts': { source: '2.3', text: 'Five failures within 15 minutes are followed by 429.' },
  'dec-2.3-key-set': {
    source: '2.3',
    text: 'Tokens of an identity provider are checked by its key set, with one algorithm, without asking too often.',
  },
  'dec-2.3-no-sessions-elsewhere': {
    source: '2.3',
    text: 'A token on delivery, GraphQL or MCP is 401 invalid_api_key.',
  },
  'dec-2.4-secret': { source: '2.4', text: 'A secret is shown once and stored as a hash only.' },
  'dec-2.4-defaults': { source: '2.4', text: 'permissions default by type.' },
  'dec-2.4-bounds': {
    source: '2.4',
    text: 'Keys are bounded by time, environment, networks and drafts, and make none that are bounded less.',
  },
  'dec-2.4-rotate': {
    source: '2.4',
    text: 'Rotation answers a new secret; the old one works until the overlap ends.',
  },
  'dec-2.4-last-used': { source: '2.4', text: 'lastUsedAt is known soon after, at no cost to the request.' },
  'dec-2.5': {
    source: '2.5',
    text: 'Keys, users, anonymous addresses and logins are limited per minute, on every surface, never exceeded.',
  },
  'dec-2.5-headers': {
    source: '2.5',
    text: 'RateLimit-Policy and RateLimit on answers that are not cacheable and on every 429, with Retry-After.',
  },
  'dec-2.5-outage': {
    source: '2.5',
    text: 'Without the shared counter each process limits by itself and says so once.',
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
  'dec-2.9-schedule': {
    source: '2.9',
    text: 'Publishing and unpublishing take a future time, kept as instant, zone and wall time; a past one is 422.',
  },
  'dec-2.9-redirect-to': {
    source: '2.9',
    text: 'An unpublish leads visitors of the path to redirectTo, where it says so.',
  },
  'dec-2.9-bulk': {
    source: '2.9',
    text: 'Bulk actions have an outcome per entry, each with its own permission; 0 or more than 100 ids are 422.',
  },
  'dec-2.11-jobs': {
    source: '2.11',
    text: 'Jobs run at least once, take effect once, are tried again three times and check again when they run.',
  },
  'dec-2.29-accepted': { source: '2.29', text: 'What will happen later is answered 202 with its jobId.' },
  'dec-2.29-bulk-atomic': {
    source: '2.29',
    text: 'An atomic bulk that fails is 422 bulk_failed with the results, nothing applied.',
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
  'dec-2.21-read': {
    source: '2.21',
    text: 'audit-events tells who changed what from where, by filters and cursor.',
  },
  'dec-2.21-export': { source: '2.21', text: 'audit-events/export streams every event as NDJSON.' },
  'dec-2.21-chain': {
    source: '2.21',
    text: 'Records are sealed in a chain: one removed, changed or slipped in is found; workers do not fork it.',
  },
  'dec-2.21-retention': { source: '2.21', text: 'Records are kept for 400 days.' },
  'dec-2.21-secrets': { source: '2.21', text: 'Secrets are redacted in records, at every depth.' },
  'dec-2.26-ip': {
    source: '2.26',
    text: 'An allowlist shuts out other addresses at once, super-admins excepted, and nobody shuts itself out.',
  },
  'dec-2.26-address': {
    source: '2.26',
    text: 'The client address comes from the last trusted proxy; what is forged before it is ignored.',
  },
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
  'hard-rate': {
    source: 'hardening 4',
    text: 'Of 300 requests at once over two processes exactly as many pass as the limit says.',
  },
  'hard-walls': {
    source: 'hardening 1',
    text: 'Two walls stand between tenants; the service cannot pass them.',
  },
  'hard-timeouts': {
    source: 'hardening 1',
    text: 'Statements, locks and idle transactions are bounded; the caller gets 503 with Retry-After.',
  },
  'ops-bounded-queues': {
    source: 'hardening 1',
    text: 'No queue without a bound: what would wait behind too many is refused with 503.',
  },
  'ops-request-log': {
    source: 'issue 4.9',
    text: 'Every request leaves one structured line, without secrets and query strings.',
  },
  'ops-metrics': {
    source: 'issue 4.9',
    text: 'Metrics are shown to their token, or on a port of their own.',
  },
  'ops-overload': {
    source: 'hardening 4',
    text: 'What is too much is answered 503 at once, and the service recovers by itself.',
  },
  'ops-canaries': {
    source: 'issue 4',
    text: 'Planted secrets appear in no log line, audit record, error or list.',
  },
  'ops-stop': {
    source: 'hardening 1',
    text: 'At SIGTERM readiness fails first, every answer closes its connection, and the process ends with 0 in time.',
  },
  'ops-readiness': {
    source: 'issue 4.9',
    text: 'Readiness tells the truth about database, migrations and queue, and fails first at a stop.',
  },
  'hard-away': {
    source: 'hardening 1',
    text: 'Without its database the service answers 503 and recovers by itself.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
