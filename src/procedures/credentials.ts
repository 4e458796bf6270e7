import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { hashSecret, isWellFormedSecret } from '../access/key-secret.js';
import type { KeyPrincipal, Principal, UserPrincipal } from '../access/principal.js';
import { systemGrants } from '../access/system-roles.js';
import type { KnownKey } from '../features/api-keys/index.js';
import { isUuid } from '../infrastructure/ids.js';
import type { Call } from './call.js';
import type { Services } from './services.js';

const BEARER = /^Bearer +([^\s]+)$/i;
const MAXIMUM_LENGTH = 4096;

/** @throws AppError `api_key_expired` for a secret that was replaced, once the overlap is over */
function assertCurrentSecret(key: KnownKey, hash: Buffer, now: Date): void {
  if (timingSafeEqual(key.secretHash, hash)) return;
  const { previousSecretHash: previous, previousSecretExpiresAt: end } = key;
  if (previous === null || !timingSafeEqual(previous, hash)) throw new AppError('invalid_api_key');
  if (key.revokedAt === null && (end === null || end <= now)) throw new AppError('api_key_expired');
}

/**
 * Whether a key still counts, and the secret that it was sent with.
 * @throws AppError `invalid_api_key`, `api_key_revoked`, `api_key_expired`
 */
export function assertUsable(key: KnownKey, hash: Buffer, now: Date): void {
  assertCurrentSecret(key, hash, now);
  if (key.revokedAt !== null) throw new AppError('api_key_revoked');
  if (key.expiresAt !== null && key.expiresAt <= now) throw new AppError('api_key_expired');
}

const principals = new WeakMap<KnownKey, KeyPrincipal>();

/** A key that was let in as the one who calls; made once, since keys are remembered for many calls. */
export function principalOf(key: KnownKey): KeyPrincipal {
  const known = principals.get(key);
  if (known !== undefined) return known;
  const {
    secretHash: _hash,
    previousSecretHash: _previous,
    previousSecretExpiresAt: _end,
    revokedAt: _revocation,
    ...rest
  } = key;
  const principal: KeyPrincipal = { kind: 'api_key', ...rest };
  principals.set(key, principal);
  return principal;
}

async function keyPrincipal(services: Services, secret: string): Promise<Principal> {
  if (!isWellFormedSecret(secret)) throw new AppError('invalid_api_key');
  const hash = hashSecret(secret);
  const key = await services.keys.byHash(hash);
  if (key === undefined) throw new AppError('invalid_api_key');
  const now = services.clock();
  assertUsable(key, hash, now);
  services.keyUses.note(key, now);
  return principalOf(key);
}

/** Rights are read on each call, never from the token (decisions 2.3): one look-up, whatever their number. */
async function userPrincipal(
  services: Services,
  token: string,
  projectSlug: string | undefined,
): Promise<UserPrincipal> {
  const now = services.clock();
  const { userId, sessionId } = await services.tokens.verify(token, now);
  if (!isUuid(userId)) throw new AppError('invalid_session');
  // Sessions that an identity provider keeps are none of ours, and never ended here.
  const [user, isEnded] = await Promise.all([
    services.members.find(userId, { projectSlug: projectSlug ?? '', now }),
    sessionId !== null && isUuid(sessionId) && services.sessions.isEnded(sessionId),
  ]);
  if (isEnded || user?.status !== 'active') throw new AppError('invalid_session');
  const { id, name, tenantId, isSuperAdmin, projectId, roles } = user;
  return {
    kind: 'user',
    id,
    name,
    tenantId,
    isSuperAdmin,
    projectId,
    grants: isSuperAdmin
      ? null
      : roles.flatMap(({ slug, isSystem, grants }) => (isSystem ? systemGrants(slug) : grants)),
  };
}

/** Whether nobody in particular may call: delivery reads what is published (specification 5 rule 1). */
const isOpen = (call: Call, { audience }: OperationMeta): boolean =>
  audience === 'delivery' && (call.surface === 'rest' || call.surface === 'trpc');

/** Session tokens are for management and platform, not for agents, GraphQL or delivery. */
const takesSessions = (call: Call, { audience }: OperationMeta): boolean =>
  (audience === 'management' || audience === 'platform') &&
  (call.surface === 'rest' || call.surface === 'trpc');

/**
 * Who calls (decisions 2.2).
 * @throws AppError 401 `unauthorized`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `invalid_session`, `session_expired`
 */
export async function authenticate(
  services: Services,
  call: Call,
  operation: OperationMeta & { readonly projectSlug?: string },
): Promise<Principal> {
  if (operation.audience === 'session') return { kind: 'anonymous' };
  if (call.authorization === undefined) {
    if (isOpen(call, operation)) return { kind: 'anonymous' };
    throw new AppError('unauthorized');
  }
  const credential =
    call.authorization.length <= MAXIMUM_LENGTH ? BEARER.exec(call.authorization)?.[1] : undefined;
  if (credential === undefined) throw new AppError('invalid_api_key');
  const isToken = credential.includes('.') && takesSessions(call, operation);
  return isToken
    ? userPrincipal(services, credential, operation.projectSlug)
    : keyPrincipal(services, credential);
}
