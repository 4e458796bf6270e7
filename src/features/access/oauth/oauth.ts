import type { OAuthRequest, oauth } from '../../../../contracts/access/oauth/oauth.contract.js';
import type { OwnConnection } from '../../../../contracts/access/me/caller.js';
import type { me } from '../../../../contracts/access/me/me.contract.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { isUuid, newToken } from '../../../infrastructure/ids.js';
import { addressOf, type RunPart, type UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertClientKey, issueClientKey } from '../api-keys/index.js';
import {
  OAuthRepository,
  type Choice,
  type ConnectionRow,
  type KnownCode,
  type NewRequest,
  type OAuthClient,
  type OpenRequest,
} from './oauth.repository.js';

export type { KnownCode, OAuthClient } from './oauth.repository.js';

const DAY_MS = 86_400_000;
const LONGEST_NAME = 80;
const LONGEST_STATE = 2000;
const LONGEST_URI = 1000;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes of editors. Others must be a reversed domain name (RFC 8252, section 7.1), which no scheme of a browser is. */
const APP_SCHEMES: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']);
const REVERSED_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** https, http on loopback, or the scheme of an app. Others could run in the page that redirects to them. */
function isSafeRedirect(uri: string): boolean {
  if (uri.length > LONGEST_URI || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password, hash } = new URL(uri);
  if (username !== '' || password !== '' || hash !== '' || uri.includes('#')) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  return APP_SCHEMES.has(protocol) || REVERSED_DOMAIN.test(protocol);
}

/** What a user reads as the receiver: the host, or the scheme of an app. */
function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** One line without control characters and marks of direction, which could disguise another client. */
const nameOf = (name: string | undefined, redirectUri: string): string =>
  (name ?? '')
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim() || hostOf(redirectUri);

export interface Registration {
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
}

/** Undefined if a redirect URI is refused. */
export async function registerClient(
  work: UnitOfWork,
  { name, redirectUris: given }: Registration,
): Promise<OAuthClient | undefined> {
  const redirectUris = [...new Set(given)];
  const [first] = redirectUris;
  const isFew = redirectUris.length <= limits.oauthRedirectUris;
  if (first === undefined || !isFew || !redirectUris.every(isSafeRedirect)) return undefined;
  const client = { id: work.newId(), name: nameOf(name, first), redirectUris };
  await work.use(OAuthRepository).register(client);
  return { ...client, createdAt: work.now };
}

export const findClient = (work: UnitOfWork, id: string): Promise<OAuthClient | undefined> =>
  work.use(OAuthRepository).client(id);

/** Of the page where a user decides; undefined if a value is malformed. */
export async function openRequest(work: UnitOfWork, request: NewRequest): Promise<string | undefined> {
  const isWellFormed = /^[\w-]{43}$/.test(request.codeChallenge);
  if (!isWellFormed || (request.state?.length ?? 0) > LONGEST_STATE) return undefined;
  const id = work.newId();
  await work.use(OAuthRepository).open(id, request);
  return id;
}

const notFound = (): AppError => new AppError('oauth_request_not_found');

export async function readRequest(
  work: UnitOfWork,
  { requestId }: InputOf<typeof oauth.request>,
): Promise<{ data: OAuthRequest }> {
  const request = await work.use(OAuthRepository).waiting(requestId.toLowerCase());
  if (request === undefined) throw notFound();
  const { id, clientName, redirectUri, projectSlug, expiresAt } = request;
  const shown = { id, clientName, redirectHost: hostOf(redirectUri), projectSlug };
  return { data: { ...shown, expiresAt: expiresAt.toISOString() } };
}

/** With `state` and the issuer, by which clients detect a response of another server (RFC 9207). */
function redirectOf({ redirectUri, state }: OpenRequest, issuer: string, result: object): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...result, ...(state !== null && { state }), iss: issuer }))
    url.searchParams.set(name, String(value));
  return url.href;
}

/** @throws AppError 422 for a project that the client did not name, or an expiry out of range */
function choiceOf(
  { projectSlug: named }: OpenRequest,
  { projectSlug, toolsets = [], siteIds = [], draftOnly, expiresAt }: InputOf<typeof oauth.consent>,
  now: Date,
): Choice {
  if (projectSlug === undefined)
    throw invalidInput({ path: ['projectSlug'], code: 'required', message: 'Choose a project to approve.' });
  if (named !== null && named !== projectSlug)
    throw invalidInput({
      path: ['projectSlug'],
      code: 'other_project',
      message: `The client asks for the project ${named}.`,
    });
  const ends =
    expiresAt === undefined ? now.getTime() + limits.oauthDefaultDays * DAY_MS : Date.parse(expiresAt);
  if (ends <= now.getTime() || ends > now.getTime() + limits.oauthAccessDays * DAY_MS)
    throw invalidInput({
      path: ['expiresAt'],
      code: 'out_of_range',
      message: `Must be in the future, and at most ${String(limits.oauthAccessDays)} days from now.`,
    });
  const sites = [...new Set(siteIds.map((id) => id.toLowerCase()))];
  return { projectSlug, toolsets, siteIds: sites, draftOnly, expiresAt: new Date(ends).toISOString() };
}

export interface ConsentServices {
  readonly issuer: string;
  /**
   * Runs in a project as the user.
   * @throws AppError as a call there would
   */
  inProject<T>(projectSlug: string, run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** Each request is decided once. The rights of the user are those of each later call, so that they need none here. */
export async function consent(
  inPart: RunPart,
  input: InputOf<typeof oauth.consent>,
  { issuer, inProject }: ConsentServices,
): Promise<{ data: { redirectTo: string } }> {
  const requestId = input.requestId.toLowerCase();
  const { request, now } = await inPart(async (work) => ({
    request: await work.use(OAuthRepository).waiting(requestId),
    now: work.now,
  }));
  if (request === undefined) throw notFound();
  if (!input.approve) {
    await inPart((work) => decide(work, requestId));
    return { data: { redirectTo: redirectOf(request, issuer, { error: 'access_denied' }) } };
  }
  const choice = choiceOf(request, input, now);
  const tenantId = await inProject(choice.projectSlug, async (work) => {
    const { data } = await assertClientKey(work, choice);
    return data.tenant.id;
  });
  const code = newToken('hwc_');
  await inPart((work) => decide(work, requestId, { tenantId, choice, code }));
  return { data: { redirectTo: redirectOf(request, issuer, { code }) } };
}

/** @throws AppError 404 if another call has decided it */
async function decide(
  work: UnitOfWork,
  requestId: string,
  approval?: Parameters<OAuthRepository['approve']>[1],
): Promise<void> {
  const requests = work.use(OAuthRepository);
  const request = await requests.waiting(requestId, 'FOR UPDATE OF r');
  if (request === undefined) throw notFound();
  if (approval === undefined) await requests.refuse(request);
  else await requests.approve(request, approval);
  requests.note(approval === undefined ? 'client_refuse' : 'client_approve', request, approval?.choice);
}

export interface CodeOfClient {
  readonly clientId: string;
  readonly code: string;
}

export const findCode = (
  work: UnitOfWork,
  { clientId, code }: CodeOfClient,
): Promise<KnownCode | undefined> => work.use(OAuthRepository).code(clientId, code);

/**
 * In the project of the code, as its user.
 * @throws AppError 404 `oauth_request_not_found` if the code was used or has expired since, and as {@link issueClientKey}
 */
export async function exchangeCode(
  work: UnitOfWork,
  clientId: string,
  { requestId, clientName, choice }: KnownCode,
): Promise<{ secret: string; expiresAt: Date | null }> {
  const key = await issueClientKey(work, { ...choice, clientId, name: clientName });
  if (!(await work.use(OAuthRepository).spend(requestId, key.id))) throw notFound();
  return key;
}

/** Slug of a project by its id. */
export const projectOfKey = (work: UnitOfWork, projectId: string): Promise<string | undefined> =>
  work.use(OAuthRepository).projectSlug(projectId);

const inIso = (time: string | null): string | null => time && new Date(time).toISOString();

const presentConnection = ({ keys, createdAt, lastUsedAt, ...client }: ConnectionRow): OwnConnection => ({
  ...client,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  keys: keys.map((key) => ({
    ...key,
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: inIso(key.expiresAt),
    lastUsedAt: inIso(key.lastUsedAt),
  })),
});

export async function listMyConnections(
  work: UnitOfWork,
  input: InputOf<typeof me.connections>,
): Promise<{ data: OwnConnection[]; meta: PageMeta }> {
  const { items, total } = await work.use(OAuthRepository).connections(input);
  return listEnvelope({ items: items.map(presentConnection), total }, input);
}

/**
 * Needs no right in the projects: the user takes back what they gave.
 * @throws AppError 404 `connection_not_found`, also for clients whose keys have all ended
 */
export async function endMyConnection(
  work: UnitOfWork,
  { id: given }: InputOf<typeof me.endConnection>,
): Promise<{ data: Deleted }> {
  const id = given.toLowerCase();
  const clients = work.use(OAuthRepository);
  const keys = isUuid(id) ? await clients.endKeys(id) : [];
  const [first] = keys;
  if (first === undefined) throw new AppError('connection_not_found');
  const { name } = (await clients.client(id)) ?? first;
  clients.noteEnd({ id, name }, keys);
  for (const { id: apiKeyId, name: keyName, type, ...address } of keys)
    work.emit({
      type: 'api_key.revoked',
      data: { apiKeyId, name: keyName, type },
      address: addressOf(address),
    });
  return { data: { id, deleted: true } };
}
