import type { Requirement } from './requirement.js';

/** Authentication and permissions. */
export const authentication = {
  'spec-5-table': {
    source: 'access/credentials',
    text: 'Each interface accepts the credentials of the table.',
  },
  'spec-5-1': {
    source: 'access/credentials',
    text: 'Without a credential, delivery reads what is published and nothing else opens.',
  },
  'spec-5-1-preview': { source: 'access/credentials', text: 'A preview key adds drafts.' },
  'spec-5-3': {
    source: 'mcp/transport',
    text: 'A delivery key on MCP is 403 wrong_key_type; sessions are not accepted.',
  },
  'spec-5-4': { source: 'access/keys', text: 'Each tool call needs its action; an empty list means all.' },
  'spec-5-5': {
    source: 'access/rate-limits',
    text: 'Each tool call counts against the key’s rate limit; over it the reply is rate_limit_exceeded.',
  },
  'spec-5-6': { source: 'mcp/transport', text: 'Scoping to sites is not applied to reads.' },
  'spec-5-10': { source: 'access/allowlist', text: 'An IP allowlist with rules and settings is managed.' },
  'spec-5-7': { source: 'events/records', text: 'Audit records of MCP calls carry the key’s id and type.' },
  'dec-2.2-none': { source: 'access/failures', text: 'No credential is 401 unauthorized with a challenge.' },
  'dec-2.2-unknown': {
    source: 'access/failures',
    text: 'An unknown or malformed credential is 401 and never falls back.',
  },
  'dec-2.2-revoked': { source: 'access/failures', text: 'Revoked and expired keys have separate codes.' },
  'dec-2.2-wrong-type': { source: 'access/failures', text: 'A key of the wrong type is 403.' },
  'dec-2.2-other-project': {
    source: 'access/failures',
    text: 'A key of another project is 403 wrong_project.',
  },
  'dec-2.2-no-grant': {
    source: 'access/failures',
    text: 'A key without the action is 403 permission_denied.',
  },
  'dec-2.2-inactive': {
    source: 'access/failures',
    text: 'An inactive tenant is 403 tenant_inactive on all interfaces.',
  },
  'dec-2.3-verify': {
    source: 'access/sessions',
    text: 'Tokens are verified: algorithm, type, issuer, audience, times.',
  },
  'dec-2.3-login': {
    source: 'access/sessions',
    text: 'Login answers a token; wrong address and wrong password look alike.',
  },
  'dec-2.3-refresh': {
    source: 'access/sessions',
    text: 'Refresh rotates; a token that comes twice ends its session, as logout does, with every token of it.',
  },
  'dec-2.3-attempts': {
    source: 'access/sessions',
    text: 'Five failures within 15 minutes are followed by 429.',
  },
  'dec-2.3-key-set': {
    source: 'access/sessions',
    text: 'Tokens of an identity provider are checked by its key set, with one algorithm, without asking too often.',
  },
  'dec-3.1-passwords': {
    source: 'access/sessions',
    text: 'Users change their password; owners, admins and super-admins issue reset tokens; both end all sessions.',
  },
  'dec-3.1-inactive-login': {
    source: 'access/sessions',
    text: 'Login into a deactivated tenant is 403 tenant_inactive.',
  },
  'dec-2.3-no-sessions-elsewhere': {
    source: 'access/sessions',
    text: 'A token on delivery, GraphQL or MCP is 401 invalid_api_key.',
  },
  'dec-2.4-secret': { source: 'access/keys', text: 'A secret is shown once and stored as a hash only.' },
  'dec-2.4-defaults': { source: 'access/keys', text: 'permissions default by type.' },
  'dec-2.4-bounds': {
    source: 'access/key-limits',
    text: 'Keys are bounded by time, environment, networks and drafts, and make none that are bounded less.',
  },
  'dec-3.12-limits': {
    source: 'access/key-limits',
    text: 'What a key creates or changes reaches no further than the key, on every surface.',
  },
  'dec-4.9-links': {
    source: 'access/key-expiry',
    text: 'Preview tokens, signed URLs and feeds of a key end when it expires or is revoked.',
  },
  'dec-4.13-expiry': {
    source: 'publication/previews',
    text: 'expiresIn is capped at the expiry of the key; who may only read makes previews of at most an hour.',
  },
  'dec-4.9-orphans': {
    source: 'access/key-expiry',
    text: 'Webhooks and schedules of a key that has ended are kept, shown as orphaned, and do nothing until a user adopts them.',
  },
  'dec-3.12-accounts': {
    source: 'access/sessions',
    text: 'An account belongs to a tenant and an e-mail address; login names the tenant where several accounts match.',
  },
  'dec-3.12-event-loop': {
    source: 'limits/event-loop',
    text: 'No request keeps the event loop from others for more than 50 ms; what would is 422 schema_too_complex.',
  },
  'dec-2.4-rotate': {
    source: 'access/keys',
    text: 'Rotation answers a new secret; the old one works until the overlap ends.',
  },
  'dec-2.4-last-used': {
    source: 'access/keys',
    text: 'lastUsedAt is known soon after, at no cost to the request.',
  },
  'dec-2.19': {
    source: 'publication/previews',
    text: 'A preview token shows the draft of one entry in one locale, and expires.',
  },
  'dec-2.26-ip': {
    source: 'access/allowlist',
    text: 'An allowlist shuts out other addresses at once, super-admins excepted, and a caller cannot exclude its own address.',
  },
  'dec-2.26-address': {
    source: 'access/allowlist',
    text: 'The client address comes from the last trusted proxy; what is forged before it is ignored.',
  },
  'dec-2.26-tenants': {
    source: 'access/tenants',
    text: 'Tenants have locales, one of them the default; one in use cannot be removed.',
  },
  'dec-2.18-roles': {
    source: 'access/grants',
    text: 'Every project has the system roles; a role in use stays.',
  },
  'dec-2.18-grants': {
    source: 'access/grants',
    text: 'Grants add up; the same one twice is the one that exists.',
  },
  'dec-2.18-escalation': {
    source: 'access/grants',
    text: 'You cannot grant permissions or scopes you do not have.',
  },
  'dec-2.18-users': { source: 'access/sessions', text: 'Users are members of projects with roles.' },
  'dec-2.18-rows': {
    source: 'access/reading',
    text: 'Grants reach rows by type, site, locale, field, environment, branch and maker.',
  },
  'dec-2.18-lists': { source: 'access/reading', text: 'Lists and totals hold what the reader may see.' },
  'dec-2.18-links': {
    source: 'access/reading',
    text: 'What a caller may not read is as missing where they link to it, place it or share a preview of what refers to it.',
  },
  'issue-access-matrix': {
    source: 'access/failures, access/grants',
    text: 'Every operation answers every credential as one table declares.',
  },
  'issue-cross-tenant': {
    source: 'limits/isolation',
    text: 'Ids of another tenant are answered as missing ones, in every position.',
  },
  'dec-3.15-rights': {
    source: 'access/me',
    text: 'A caller learns the operations that the gate would admit in an environment, and the limits of its grants.',
  },
  'dec-3.15-me': {
    source: 'access/me',
    text: 'A user learns the projects and environments that they may enter, and no others.',
  },
  'dec-2.29-users': {
    source: 'http/status-codes',
    text: 'POST users takes e-mail, name, roles and a first password.',
  },
  'dec-2.26-owner': { source: 'access/tenants', text: 'A tenant’s owner is invited with it.' },
  'dec-2.26-limits': { source: 'access/tenants', text: 'A tenant has limits.' },
} as const satisfies Readonly<Record<string, Requirement>>;
