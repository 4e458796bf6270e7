import type { Requirement } from './requirement.js';

/** Chapter 5, authentication and permissions; decisions 2.2–2.4, 2.18, 2.19, 2.26. */
export const authentication = {
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
  'spec-5-5': {
    source: 'spec 5.5',
    text: 'Each tool call counts against the key’s rate limit; over it the reply is rate_limit_exceeded.',
  },
  'spec-5-6': { source: 'spec 5.6', text: 'Scoping to sites is not applied to reads.' },
  'spec-5-10': { source: 'spec 5.10', text: 'An IP allowlist with rules and settings is managed.' },
  'spec-5-7': { source: 'spec 5.7', text: 'Audit records of MCP calls carry the key’s id and type.' },
  'dec-2.2-none': { source: '2.2', text: 'No credential is 401 unauthorized with a challenge.' },
  'dec-2.2-unknown': {
    source: '2.2',
    text: 'An unknown or malformed credential is 401 and never falls back.',
  },
  'dec-2.2-revoked': { source: '2.2', text: 'Revoked and expired keys have separate codes.' },
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
  'dec-3.1-passwords': {
    source: '3.1',
    text: 'Users change their password; owners, admins and super-admins issue reset tokens; both end all sessions.',
  },
  'dec-3.1-inactive-login': {
    source: '3.1',
    text: 'Login into a deactivated tenant is 403 tenant_inactive.',
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
  'dec-3.12-limits': {
    source: '3.12',
    text: 'What a key creates or changes reaches no further than the key, on every surface.',
  },
  'dec-4.9-links': {
    source: '4.9',
    text: 'Preview tokens, signed URLs and feeds of a key end when it expires or is revoked.',
  },
  'dec-4.13-expiry': {
    source: '4.13',
    text: 'expiresIn is capped at the expiry of the key; who may only read makes previews of at most an hour.',
  },
  'dec-4.9-orphans': {
    source: '4.9',
    text: 'Webhooks and schedules of a key that has ended are kept, shown as orphaned, and do nothing until a user adopts them.',
  },
  'dec-3.12-accounts': {
    source: '3.12',
    text: 'An account belongs to a tenant and an e-mail address; login names the tenant where several accounts match.',
  },
  'dec-3.12-event-loop': {
    source: '3.12',
    text: 'No request keeps the event loop from others for more than 50 ms; what would is 422 schema_too_complex.',
  },
  'dec-2.4-rotate': {
    source: '2.4',
    text: 'Rotation answers a new secret; the old one works until the overlap ends.',
  },
  'dec-2.4-last-used': { source: '2.4', text: 'lastUsedAt is known soon after, at no cost to the request.' },
  'dec-2.19': {
    source: '2.19',
    text: 'A preview token shows the draft of one entry in one locale, and expires.',
  },
  'dec-2.26-ip': {
    source: '2.26',
    text: 'An allowlist shuts out other addresses at once, super-admins excepted, and a caller cannot exclude its own address.',
  },
  'dec-2.26-address': {
    source: '2.26',
    text: 'The client address comes from the last trusted proxy; what is forged before it is ignored.',
  },
  'dec-2.26-tenants': {
    source: '2.26',
    text: 'Tenants have locales, one of them the default; one in use cannot be removed.',
  },
  'dec-2.18-roles': { source: '2.18', text: 'Every project has the system roles; a role in use stays.' },
  'dec-2.18-grants': { source: '2.18', text: 'Grants add up; the same one twice is the one that exists.' },
  'dec-2.18-escalation': { source: '2.18', text: 'You cannot grant permissions or scopes you do not have.' },
  'dec-2.18-users': { source: '2.18', text: 'Users are members of projects with roles.' },
  'dec-2.18-rows': {
    source: '2.18',
    text: 'Grants reach rows by type, site, locale, field, environment, branch and maker.',
  },
  'dec-2.18-lists': { source: '2.18', text: 'Lists and totals hold what the reader may see.' },
  'dec-2.18-links': {
    source: '2.18',
    text: 'What a caller may not read is as missing where they link to it, place it or share a preview of what refers to it.',
  },
  'issue-access-matrix': {
    source: '2.2, 2.18',
    text: 'Every operation answers every credential as one table declares.',
  },
  'issue-cross-tenant': {
    source: 'hardening 1',
    text: 'Ids of another tenant are answered as missing ones, in every position.',
  },
  'dec-3.15-rights': {
    source: '3.15',
    text: 'A caller learns the operations that the gate would admit in an environment, and the limits of its grants.',
  },
  'dec-3.15-me': {
    source: '3.15',
    text: 'A user learns the projects and environments that they may enter, and no others.',
  },
  'dec-2.29-users': { source: '2.29', text: 'POST users takes e-mail, name, roles and a first password.' },
  'dec-2.26-owner': { source: '2.26', text: 'A tenant’s owner is invited with it.' },
  'dec-2.26-limits': { source: '2.26', text: 'A tenant has limits.' },
} as const satisfies Readonly<Record<string, Requirement>>;
