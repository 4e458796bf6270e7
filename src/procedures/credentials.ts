import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import { servesSessions } from '../access/authorize.js';
import type { KeyPrincipal, Principal, UserPrincipal } from '../access/principal.js';
import { isUuid } from '../infrastructure/ids.js';
import type { AdmissionRequest, Call } from './call.js';
import { feedReader } from './feed-reader.js';
import { bearerIn } from './key-credentials.js';
import { memberPrincipal } from './present-principal.js';
import type { Services } from './services.js';

function keyPrincipal(
  { credentials, keyUses, clock }: Services,
  authorization: string,
): Principal | Promise<Principal> {
  const used = (principal: KeyPrincipal): KeyPrincipal => {
    keyUses.record(principal, clock());
    return principal;
  };
  const known = credentials.peek(authorization);
  return known === undefined ? credentials.find(authorization).then(used) : used(known);
}

export const anonymous: Principal = { kind: 'anonymous' };

async function userPrincipal(
  services: Services,
  token: string,
  projectSlug: string | undefined,
): Promise<UserPrincipal> {
  const { userId, sessionId } = await services.tokens.verify(token, services.clock());
  if (!isUuid(userId)) throw new AppError('invalid_session');
  // Sessions of an external identity provider have no id and cannot be ended here.
  const [user, isEnded] = await Promise.all([
    memberPrincipal(services, userId, projectSlug),
    sessionId !== null && isUuid(sessionId) && services.sessions.isEnded(sessionId),
  ]);
  if (isEnded) throw new AppError('invalid_session');
  return user;
}

/** Published content needs no credential (rule access/credentials). */
const isCredentialOptional = (call: Call, { audience }: OperationMeta): boolean =>
  audience === 'delivery' && (call.surface === 'rest' || call.surface === 'trpc');

const acceptsSessions = (call: Call, operation: OperationMeta): boolean =>
  servesSessions(operation) && (call.surface === 'rest' || call.surface === 'trpc');

/**
 * Rule access/failures. Synchronous for cached keys.
 * @throws AppError 401 `unauthorized`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `invalid_session`, `session_expired`;
 * 403 `invalid_signature` for the token of a URL
 */
export function authenticate(
  services: Services,
  call: Call,
  { operation, projectSlug }: AdmissionRequest,
): Principal | Promise<Principal> {
  const { authorization } = call;
  if (operation.audience === 'session') return anonymous;
  if (authorization === undefined) {
    if (call.urlToken !== undefined) return feedReader(services, call.urlToken, projectSlug);
    if (isCredentialOptional(call, operation)) return anonymous;
    throw new AppError('unauthorized');
  }
  if (acceptsSessions(call, operation)) {
    const credential = bearerIn(authorization);
    if (credential?.includes('.') === true) return userPrincipal(services, credential, projectSlug);
  }
  return keyPrincipal(services, authorization);
}
