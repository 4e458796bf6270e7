import type { Requirement } from './requirement.js';

/** Authentication and permissions. */
export const authentication = {
  'access/credentials': {
    source: 'access/credentials',
    text: 'Each interface accepts the credentials of the table.',
  },
  'access/anonymous-delivery': {
    source: 'access/credentials',
    text: 'Without a credential, delivery reads what is published and nothing else opens.',
  },
  'access/preview-key-drafts': { source: 'access/credentials', text: 'A preview key adds drafts.' },
  'mcp/credentials': {
    source: 'mcp/transport',
    text: 'A delivery key on MCP is 403 wrong_key_type; sessions are not accepted.',
  },
  'access/actions-of-tools': {
    source: 'access/keys',
    text: 'Each tool call needs its action; an empty list means all.',
  },
  'access/rate-limit-of-tools': {
    source: 'access/rate-limits',
    text: 'Each tool call counts against the key’s rate limit; over it the reply is rate_limit_exceeded.',
  },
  'mcp/reads-not-scoped-to-sites': {
    source: 'mcp/transport',
    text: 'Scoping to sites is not applied to reads.',
  },
  'access/allowlist': {
    source: 'access/allowlist',
    text: 'An IP allowlist with rules and settings is managed.',
  },
  'events/records-of-mcp-calls': {
    source: 'mcp/results',
    text: 'Audit records of MCP calls carry the key’s id and type.',
  },
  'access/sign-on': {
    source: 'access/sign-on',
    text: 'Users sign on at the identity provider of their tenant, which proves their address and gives roles by groups.',
  },
  'access/no-credential': {
    source: 'access/failures',
    text: 'No credential is 401 unauthorized with a challenge.',
  },
  'access/unknown-credential': {
    source: 'access/failures',
    text: 'An unknown or malformed credential is 401 and never falls back.',
  },
  'access/revoked-and-expired-keys': {
    source: 'access/failures',
    text: 'Revoked and expired keys have separate codes.',
  },
  'access/wrong-key-type': { source: 'access/failures', text: 'A key of the wrong type is 403.' },
  'access/wrong-project': {
    source: 'access/failures',
    text: 'A key of another project is 403 wrong_project.',
  },
  'access/permission-denied': {
    source: 'access/failures',
    text: 'A key without the action is 403 permission_denied.',
  },
  'access/inactive-tenant': {
    source: 'access/failures',
    text: 'An inactive tenant is 403 tenant_inactive on all interfaces.',
  },
  'access/token-verification': {
    source: 'access/sessions',
    text: 'Tokens are verified: algorithm, type, issuer, audience, times.',
  },
  'access/login': {
    source: 'access/sessions',
    text: 'Login answers a token; wrong address and wrong password look alike.',
  },
  'access/refresh': {
    source: 'access/sessions',
    text: 'Refresh rotates; a token that comes twice ends its session, as logout does, with every token of it.',
  },
  'access/login-attempts': {
    source: 'access/sessions',
    text: 'Five failures within 15 minutes are followed by 429.',
  },
  'access/identity-provider-keys': {
    source: 'access/sessions',
    text: 'Tokens of an identity provider are checked by its key set, with one algorithm, without asking too often.',
  },
  'access/open-streams': {
    source: 'access/sessions',
    text: 'An event stream ends at once in every process when the session, key or right that opened it ends.',
  },
  'access/passwords': {
    source: 'access/sessions',
    text: 'Users change their password; owners, admins and super-admins issue reset tokens; both end all sessions.',
  },
  'access/mail-queue': {
    source: 'access/mail',
    text: 'Mails are sent by the worker, once committed, with retries; a failing server delays no request.',
  },
  'access/account-links': {
    source: 'access/mail',
    text: 'Invitations and forgotten passwords are links that work once, mailed or shown to who may have them.',
  },
  'access/login-to-inactive-tenant': {
    source: 'access/sessions',
    text: 'Login into a deactivated tenant is 403 tenant_inactive.',
  },
  'access/sessions-for-management-only': {
    source: 'access/sessions',
    text: 'A token on delivery, GraphQL or MCP is 401 invalid_api_key.',
  },
  'access/key-secrets': { source: 'access/keys', text: 'A secret is shown once and stored as a hash only.' },
  'access/key-permissions-default': { source: 'access/keys', text: 'permissions default by type.' },
  'access/key-bounds': {
    source: 'access/key-limits',
    text: 'Keys are bounded by time, environment, networks and drafts, and make none that are bounded less.',
  },
  'access/key-limits': {
    source: 'access/key-limits',
    text: 'What a key creates or changes reaches no further than the key, on every surface.',
  },
  'access/key-expiry-ends-links': {
    source: 'access/key-expiry',
    text: 'Preview tokens, signed URLs and feeds of a key end when it expires or is revoked.',
  },
  'publication/preview-expiry': {
    source: 'publication/previews',
    text: 'expiresIn is capped at the expiry of the key; who may only read makes previews of at most an hour.',
  },
  'access/key-expiry-orphans': {
    source: 'access/key-expiry',
    text: 'Webhooks and schedules of a key that has ended are kept, shown as orphaned, and do nothing until a user adopts them.',
  },
  'access/accounts': {
    source: 'access/sessions',
    text: 'An account belongs to a tenant and an e-mail address; login names the tenant where several accounts match.',
  },
  'limits/event-loop': {
    source: 'limits/event-loop',
    text: 'No request keeps the event loop from others for more than 50 ms; what would is 422 schema_too_complex.',
  },
  'access/key-rotation': {
    source: 'access/keys',
    text: 'Rotation answers a new secret; the old one works until the overlap ends.',
  },
  'access/key-last-used': {
    source: 'access/keys',
    text: 'lastUsedAt is known soon after, at no cost to the request.',
  },
  'publication/preview-sessions': {
    source: 'publication/preview-sessions',
    text: 'A preview session shows the drafts of one site in its locales, on REST and GraphQL, and nowhere else.',
  },
  'publication/preview-session-ends': {
    source: 'publication/preview-sessions',
    text: 'A preview session ends with its key, or with the login, the account or the rights of the user who made it.',
  },
  'publication/preview-stream': {
    source: 'publication/preview-sessions',
    text: 'A stream names what changes on a site within a moment, in every process, and cuts off who does not read.',
  },
  'publication/source-maps': {
    source: 'publication/preview-sessions',
    text: 'Previews say of which field each value is, beside the values or hidden in strings that people read, and in nothing else.',
  },
  'publication/preview-script': {
    source: 'publication/preview-sessions',
    text: 'A script of at most 5 KB shows changes at once in a page of a site, and opens the field of a text in the admin app.',
  },
  'publication/rendered-pages': {
    source: 'publication/preview-sessions',
    text: 'Without a preview address the service renders the draft, escaped, under a policy that permits its own script only, with the field of each value.',
  },
  'publication/preview-frame': {
    source: 'publication/preview-sessions',
    text: 'The admin app shows the page of an entry beside its form as it is written, and leads from texts to fields and back.',
  },
  'publication/preview-tokens': {
    source: 'publication/previews',
    text: 'A preview token shows the draft of one entry in one locale, and expires.',
  },
  'access/allowlist-enforced': {
    source: 'access/allowlist',
    text: 'An allowlist shuts out other addresses at once, super-admins excepted, and a caller cannot exclude its own address.',
  },
  'access/client-address': {
    source: 'access/allowlist',
    text: 'The client address comes from the last trusted proxy; what is forged before it is ignored.',
  },
  'access/tenant-locales': {
    source: 'localization/locales',
    text: 'Tenants have locales, one of them the default; one in use cannot be removed.',
  },
  'access/roles': {
    source: 'access/grants',
    text: 'Every project has the system roles; a role in use stays.',
  },
  'access/grants': {
    source: 'access/grants',
    text: 'Grants add up; the same one twice is the one that exists.',
  },
  'access/no-escalation': {
    source: 'access/grants',
    text: 'You cannot grant permissions or scopes you do not have.',
  },
  'access/members': { source: 'access/sessions', text: 'Users are members of projects with roles.' },
  'access/reading-limited-to-rows': {
    source: 'access/reading',
    text: 'Grants reach rows by type, site, locale, field, environment, branch and maker.',
  },
  'access/reading-lists': {
    source: 'access/reading',
    text: 'Lists and totals hold what the reader may see.',
  },
  'access/reading-links': {
    source: 'access/reading',
    text: 'What a caller may not read is as missing where they link to it, place it or share a preview of what refers to it.',
  },
  'access/operation-table': {
    source: 'access/failures, access/grants',
    text: 'Every operation answers every credential as one table declares.',
  },
  'limits/isolation-of-ids': {
    source: 'limits/isolation',
    text: 'Ids of another tenant are answered as missing ones, in every position.',
  },
  'access/rights-of-caller': {
    source: 'access/me',
    text: 'A caller learns the operations that the gate would admit in an environment, and the limits of its grants.',
  },
  'access/me': {
    source: 'access/me',
    text: 'A user learns the projects and environments that they may enter, and no others.',
  },
  'access/profile': {
    source: 'access/me',
    text: 'Users change their own name, language, time zone and theme only.',
  },
  'access/avatars': {
    source: 'access/me',
    text: 'The picture of a user is a small square without metadata, read by users of the same tenant only.',
  },
  'access/own-sessions': {
    source: 'access/me',
    text: 'Users see where they are logged in, and end one session or all others at once.',
  },
  'access/second-factor': {
    source: 'access/second-factor',
    text: 'A second factor is enabled and disabled with codes; its secret is encrypted, recovery codes are hashes.',
  },
  'access/second-factor-codes': {
    source: 'access/second-factor',
    text: 'Codes of the steps beside the present one are accepted, each once; of others the clock is named.',
  },
  'access/second-factor-login': {
    source: 'access/second-factor',
    text: 'A login with a second factor is a challenge, for one account, once; wrong codes count as failed logins.',
  },
  'access/second-factor-required': {
    source: 'access/second-factor',
    text: 'Where the tenant requires a second factor, users without one can only set one up.',
  },
  'access/second-factor-reset': {
    source: 'access/second-factor',
    text: 'Who may reset the password of a user resets the second factor, not with a key and not their own.',
  },
  'access/passkeys': {
    source: 'access/passkeys',
    text: 'Passkeys are added and removed with the password, for a verified user, each challenge once.',
  },
  'access/passkey-login': {
    source: 'access/passkeys',
    text: 'A passkey logs in without a password, unless its counter goes back or the tenant signs on elsewhere.',
  },
  'access/passkey-second-factor': {
    source: 'access/passkeys',
    text: 'A passkey is a second factor of logins with a password, as codes are.',
  },
  'access/personal-keys': {
    source: 'access/personal-keys',
    text: 'A personal key acts as its user in one project, with their rights at the time of each call, until it ends with them.',
  },
  'access/sessions-under-attack': {
    source: 'access/sessions',
    text: 'Sessions are in no cookie, new at each login, and their event streams end with them.',
  },
  'access/user-creation': {
    source: 'http/status-codes',
    text: 'POST users takes e-mail, name, roles and a first password.',
  },
  'access/tenant-owner': { source: 'access/tenants', text: 'A tenant’s owner is invited with it.' },
  'access/tenant-limits': { source: 'access/tenants', text: 'A tenant has limits.' },
} as const satisfies Readonly<Record<string, Requirement>>;
