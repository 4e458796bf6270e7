import { AppError } from '../../contracts/errors.js';
import type { OperationMeta } from '../../contracts/metadata.js';
import type { Principal, KeyPrincipal, PreviewPrincipal, UserPrincipal } from '../access/principal.js';
import { grantsOf, servesSessions } from '../access/authorize.js';
import { readingOnly, readsSite } from '../access/grants.js';
import { isPersonalSecret } from '../access/key-secret.js';
import type { PreviewSessionClaims } from '../access/signed-token.js';
import type { Catalog } from '../content/catalog.js';
import { isUuid } from '../infrastructure/ids.js';
import { presentPrincipal, memberPrincipal, withHolder } from './present-principal.js';
import type { Services } from './services.js';
import type { AdmissionRequest, Call } from './call.js';
import { bearerIn } from './key-credentials.js';
import { projectRefusal } from './project-access.js';

/**
 * The user or key that a feed URL was issued to, with their present rights.
 * @throws AppError 403 `invalid_signature`; 401 `invalid_session`, `api_key_revoked`, `api_key_expired`
 */
async function feedReader(services: Services, token: string, projectSlug: string): Promise<Principal> {
  const reader = await services.feedTokens.verify(token, services.clock());
  if (reader === undefined) throw new AppError('invalid_signature');
  const { environmentId } = reader;
  const { catalogs } = services;
  const catalog =
    catalogs.peek(projectSlug, environmentId) ?? (await catalogs.find(projectSlug, environmentId));
  if (catalog?.data.environment.id !== environmentId) throw new AppError('invalid_signature');
  const principal = await presentPrincipal(services, catalog, reader);
  if (principal.kind === 'api_key') services.keyUses.record(principal, services.clock());
  return { ...principal, selectedEnvironmentId: environmentId };
}

/** @throws AppError 401 as for a call with the credential that made the session */
async function makerOf(
  services: Services,
  catalog: Catalog,
  { maker, loginId }: PreviewSessionClaims,
): Promise<UserPrincipal | KeyPrincipal> {
  const [principal, login] = await Promise.all([
    presentPrincipal(services, catalog, maker),
    loginId !== undefined && isUuid(loginId) ? services.sessions.state(loginId, services.clock()) : undefined,
  ]);
  if (login?.isEnded === true) throw new AppError('invalid_session');
  return principal;
}

/**
 * The holder of the token of a preview session, while who made it may still read the whole site.
 * @throws AppError 403 `invalid_preview_token`
 */
async function previewHolder(
  services: Services,
  token: string,
  projectSlug: string,
): Promise<PreviewPrincipal> {
  const claims = await services.previewSessions.verify(token, services.clock());
  const { projectId, environmentId, siteId, locales = null, releaseId, at, tokenId: id } = claims;
  const catalog =
    services.catalogs.peek(projectSlug, environmentId) ??
    (await services.catalogs.find(projectSlug, environmentId));
  const { environment, project } = catalog?.data ?? {};
  if (catalog === undefined || environment?.id !== environmentId || project?.id !== projectId)
    throw new AppError('invalid_preview_token');
  const maker = await makerOf(services, catalog, claims).catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? new AppError('invalid_preview_token') : error;
  });
  const rights = { grants: grantsOf(maker, environment.slug), environmentSlug: environment.slug };
  const isOpen = projectRefusal(maker, catalog) === undefined && readsSite(rights, siteId);
  if (!isOpen || catalog.site(siteId) === undefined) throw new AppError('invalid_preview_token');
  const { kind, name } = maker;
  const place = { projectId, environmentId, siteId, locales };
  const future = releaseId === undefined && at === undefined ? undefined : { releaseId, at };
  return { kind: 'preview', id, maker: { kind, id: maker.id, name }, ...place, future };
}

/**
 * @throws AppError 401 `invalid_api_key`, `api_key_revoked`, `api_key_expired`; 403 `wrong_key_type` for the key of an
 * OAuth client outside MCP
 */
function keyPrincipal(
  services: Services,
  { authorization, surface }: Call & { readonly authorization: string },
  projectSlug: string,
): Principal | Promise<Principal> {
  const { credentials, keyUses, clock } = services;
  const used = (principal: KeyPrincipal): KeyPrincipal => {
    keyUses.record(principal, clock());
    return principal;
  };
  const known = credentials.peek(authorization);
  if (known !== undefined) return used(known);
  return credentials.find(authorization).then((key) => {
    if (key.holderId !== null && surface !== 'mcp') throw new AppError('wrong_key_type', { accepted: [] });
    return key.holderId === null ? used(key) : withHolder(services, used(key), projectSlug);
  });
}

export const anonymous: Principal = { kind: 'anonymous' };

async function userPrincipal(
  services: Services,
  token: string,
  { operation, projectSlug }: AdmissionRequest,
): Promise<UserPrincipal> {
  const { userId, sessionId } = await services.tokens.verify(token, services.clock());
  if (!isUuid(userId)) throw new AppError('invalid_session');
  // Sessions of an external identity provider have no id and cannot be ended here.
  const [user, state] = await Promise.all([
    memberPrincipal(services, userId, projectSlug),
    sessionId !== null && isUuid(sessionId)
      ? services.sessions.state(sessionId, services.clock())
      : undefined,
  ]);
  if (state?.isEnded === true) throw new AppError('invalid_session');
  if (state?.needsSecondFactor === true && operation.beforeSecondFactor !== true)
    throw new AppError('second_factor_required');
  return { ...user, sessionId: sessionId ?? undefined };
}

/**
 * The user of a personal key, with their present rights in its project.
 * @throws AppError 401 `invalid_api_key`, `api_key_revoked`, `api_key_expired`, 403 `second_factor_required`
 */
async function personalPrincipal(
  services: Services,
  secret: string,
  { projectSlug }: AdmissionRequest,
): Promise<UserPrincipal> {
  const now = services.clock();
  const key = await services.personalKeys.find(secret, now);
  if (key === undefined) throw new AppError('invalid_api_key');
  if (key.revokedAt !== null) throw new AppError('api_key_revoked');
  if (key.expiresAt <= now) throw new AppError('api_key_expired');
  if (key.needsSecondFactor) throw new AppError('second_factor_required');
  const user = await memberPrincipal(services, key.userId, projectSlug).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'invalid_session'
      ? new AppError('api_key_revoked')
      : error;
  });
  const isThere = user.projectId === key.projectId;
  return {
    ...user,
    personalKeyId: key.id,
    projectId: isThere ? user.projectId : null,
    grants: isThere ? (key.isReadOnly ? readingOnly(user.grants) : user.grants) : [],
  };
}

/** Published content needs no credential (rule access/credentials). */
const isCredentialOptional = (call: Call, { audience }: OperationMeta): boolean =>
  audience === 'delivery' && (call.surface === 'rest' || call.surface === 'trpc');

const acceptsSessions = (call: Call, operation: OperationMeta): boolean =>
  servesSessions(operation) && (call.surface === 'rest' || call.surface === 'trpc');

/**
 * Rule access/failures. Synchronous for cached keys.
 * @throws AppError 401 `unauthorized`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `invalid_session`, `session_expired`;
 * 403 `invalid_signature` for the token of a URL, `invalid_preview_token` for that of a preview session
 */
export function authenticate(
  services: Services,
  call: Call,
  request: AdmissionRequest,
): Principal | Promise<Principal> {
  const { operation, projectSlug } = request;
  const { authorization } = call;
  if (operation.audience === 'session') return anonymous;
  if (operation.audience === 'delivery' && call.previewSession !== undefined)
    return previewHolder(services, call.previewSession, projectSlug);
  if (authorization === undefined) {
    if (call.urlToken !== undefined) return feedReader(services, call.urlToken, projectSlug);
    if (isCredentialOptional(call, operation)) return anonymous;
    throw new AppError('unauthorized');
  }
  if (acceptsSessions(call, operation)) {
    const credential = bearerIn(authorization);
    if (credential?.includes('.') === true) return userPrincipal(services, credential, request);
    if (credential !== undefined && isPersonalSecret(credential))
      return personalPrincipal(services, credential, request);
  }
  return keyPrincipal(services, { ...call, authorization }, projectSlug);
}
