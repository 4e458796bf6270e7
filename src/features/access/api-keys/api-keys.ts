import { describeSecret, formatSecret, hashSecret } from '../../../access/key-secret.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { apiKeys } from '../../../../contracts/access/api-keys/api-keys.contract.js';
import type { oauth } from '../../../../contracts/access/oauth/oauth.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { ApiKey, KeyAction, KeyType } from '../../../../contracts/access/api-keys/api-key.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { randomSecretBytes } from '../../../infrastructure/ids.js';
import { EnvironmentRepository } from '../../environments/environments/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  assertNetworks,
  assertNoEscalation,
  parseExpiry,
  assertNotRevoked,
  presentApiKey,
  presentationContext,
} from './api-key.policy.js';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';

type Input = InputOf<typeof apiKeys.create>;

/**
 * Used when `permissions` is omitted. An empty list permits everything, so only management keys default to it
 * (rule access/keys).
 */
const defaultPermissions: Readonly<Record<KeyType, KeyAction[]>> = {
  delivery: ['read'],
  preview: ['read'],
  management: [],
};

function assertReferences(catalog: Catalog, siteIds: readonly string[]): void {
  const unknown = siteIds.findIndex((id) => catalog.site(id) === undefined);
  if (unknown >= 0) throw new AppError('site_not_found', { path: ['siteIds', unknown] });
}

/** @throws AppError 422 `limit_reached` */
async function assertRoom(work: UnitOfWork): Promise<void> {
  const limit = limits.apiKeysPerProject;
  if ((await work.use(ApiKeyRepository).countUnrevoked()) >= limit)
    throw new AppError('limit_reached', { limit });
}

/** @throws AppError 404 `environment_not_found` */
async function boundId(work: UnitOfWork, slug: string | null | undefined): Promise<string | null> {
  if (typeof slug !== 'string') return null;
  const [found] = await work.use(EnvironmentRepository).reachable([slug]);
  if (found === undefined) throw new AppError('environment_not_found', { path: ['environment'] });
  return found.id;
}

/** The row holds only a hash of the secret. */
async function newKey(
  work: UnitOfWork,
  catalog: Catalog,
  input: Input,
): Promise<{ secret: string; row: ApiKeyRow }> {
  const { tenant, project } = catalog.data;
  const secret = formatSecret(input.type, randomSecretBytes());
  const row: ApiKeyRow = {
    tenantId: tenant.id,
    projectId: project.id,
    id: work.newId(),
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    permissions: [...new Set(input.permissions ?? defaultPermissions[input.type])],
    siteIds: [...new Set(input.siteIds)],
    environmentId: await boundId(work, input.environment),
    selectedEnvironmentId: null,
    ...describeSecret(secret),
    secretHash: hashSecret(secret),
    previousSecretHash: null,
    previousSecretExpiresAt: null,
    rateLimit: input.rateLimit ?? null,
    ipAllowlist: [...new Set(input.ipAllowlist)],
    draftOnly: input.draftOnly ?? false,
    toolsets: [...new Set(input.toolsets)],
    expiresAt: parseExpiry(input.expiresAt, work.now),
    revokedAt: null,
    lastUsedAt: null,
    requireConfirmation: input.requireConfirmation,
    oauthClientId: null,
    createdAt: work.now,
    createdBy: work.scope.actor,
    updatedAt: work.now,
  };
  return { secret, row };
}

/** The secret is returned only here. */
export async function createApiKey(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: ApiKey & { secret: string } }> {
  const catalog = await work.use(CatalogRepository).current();
  const given = (input.siteIds ?? []).map((id) => id.toLowerCase());
  assertReferences(catalog, given);
  assertNetworks(input.ipAllowlist ?? []);
  const keys = work.use(ApiKeyRepository);
  await assertRoom(work);
  const { secret, row } = await newKey(work, catalog, { ...input, siteIds: given });
  await assertNoEscalation(work, row, 'create');
  await keys.insert(row);
  work.emit({ type: 'api_key.created', data: { apiKeyId: row.id, name: row.name, type: row.type } });
  return { data: { ...presentApiKey(row, await presentationContext(work, [row])), secret } };
}

export interface ClientKey {
  readonly clientId: string;
  readonly name: string;
  readonly toolsets: InputOf<typeof oauth.consent>['toolsets'];
  readonly siteIds: readonly string[];
  readonly draftOnly: boolean;
  readonly expiresAt: string;
}

/** @throws AppError 404 `site_not_found`, 422 `limit_reached` */
export async function assertClientKey(
  work: UnitOfWork,
  { siteIds }: Pick<ClientKey, 'siteIds'>,
): Promise<Catalog> {
  const catalog = await work.use(CatalogRepository).current();
  assertReferences(catalog, siteIds);
  await assertRoom(work);
  return catalog;
}

/**
 * A key for an OAuth client of the user of the call. It may have any limits: each call has no more rights than the user.
 * @throws AppError 404 `site_not_found`, 422 `limit_reached`
 */
export async function issueClientKey(
  work: UnitOfWork,
  { clientId, siteIds, ...chosen }: ClientKey,
): Promise<{ id: string; secret: string; expiresAt: Date | null }> {
  const catalog = await assertClientKey(work, { siteIds });
  const fixed = { type: 'management', requireConfirmation: false } as const;
  const input = { ...chosen, ...fixed, siteIds: [...siteIds], projectSlug: catalog.data.project.slug };
  const { secret, row } = await newKey(work, catalog, input);
  const { id, name, type, expiresAt } = row;
  await work.use(ApiKeyRepository).insert({ ...row, oauthClientId: clientId });
  work.emit({ type: 'api_key.created', data: { apiKeyId: id, name, type } });
  return { id, secret, expiresAt };
}

export async function getApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.get>,
): Promise<{ data: ApiKey }> {
  const key = await work.use(ApiKeyRepository).find(input.id);
  return { data: presentApiKey(key, await presentationContext(work, [key])) };
}

/** Includes revoked keys. */
export async function listApiKeys(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.list>,
): Promise<{ data: ApiKey[]; meta: PageMeta }> {
  const { items, total } = await work.use(ApiKeyRepository).list(input);
  const context = await presentationContext(work, [...items]);
  return listEnvelope({ items: items.map((row) => presentApiKey(row, context)), total }, input);
}

/** Takes effect at once. Idempotent. */
export async function revokeApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.revoke>,
): Promise<{ data: { id: string; revokedAt: string } }> {
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(input.id);
  if (before.revokedAt !== null)
    return { data: { id: before.id, revokedAt: before.revokedAt.toISOString() } };
  // The key of a client has no more rights than its user, and any owner of rights over keys may end it.
  if (before.oauthClientId === null) await assertNoEscalation(work, before, 'delete');
  await keys.save(before, { ...before, revokedAt: work.now, updatedAt: work.now }, 'revoke');
  work.emit({ type: 'api_key.revoked', data: { apiKeyId: before.id, name: before.name, type: before.type } });
  return { data: { id: before.id, revokedAt: work.now.toISOString() } };
}

/** The new secret is returned only here. The old one stays valid for the overlap. */
export async function rotateApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.rotate>,
): Promise<{ data: ApiKey & { secret: string } }> {
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(input.id);
  assertNotRevoked(before);
  // Anyone with the new secret would act as the user.
  if (before.oauthClientId !== null)
    throw new AppError(
      'permission_denied',
      { resource: 'apiKeys', action: 'update' },
      'Keys of OAuth clients cannot be rotated. Revoke the key and connect the client again.',
    );
  if (before.expiresAt !== null && before.expiresAt <= work.now)
    throw new AppError('api_key_inactive', { status: 'expired' });
  // The caller receives the secret and with it the rights of the key.
  await assertNoEscalation(work, before, 'update');
  const secret = formatSecret(before.type, randomSecretBytes());
  const after: ApiKeyRow = {
    ...before,
    ...describeSecret(secret),
    secretHash: hashSecret(secret),
    previousSecretHash: before.secretHash,
    previousSecretExpiresAt: new Date(work.now.getTime() + input.overlapSeconds * 1000),
    updatedAt: work.now,
  };
  await keys.save(before, after, 'rotate');
  return { data: { ...presentApiKey(after, await presentationContext(work, [after])), secret } };
}

/** Equal values change nothing. */
export async function updateApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.update>,
): Promise<{ data: ApiKey }> {
  const { projectSlug: _project, id, ...change } = input;
  const { expiresAt, ...given } = definedKeys(change);
  assertNetworks(given.ipAllowlist ?? []);
  const keys = work.use(ApiKeyRepository);
  const before = await keys.lock(id);
  assertNotRevoked(before);
  const changes = {
    ...given,
    ...(given.ipAllowlist && { ipAllowlist: [...new Set(given.ipAllowlist)] }),
    ...(given.toolsets && { toolsets: [...new Set(given.toolsets)] }),
    ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt, work.now) }),
  };
  await assertNoEscalation(work, before, 'update');
  const after = { ...before, ...changes, updatedAt: work.now };
  await assertNoEscalation(work, after, 'update');
  const context = await presentationContext(work, [after]);
  if (!hasChanges(before, changes)) return { data: presentApiKey(before, context) };
  await keys.save(before, after);
  return { data: presentApiKey(after, context) };
}

/** Of the client and no other. */
export async function endClientKey(
  work: UnitOfWork,
  { id, clientId, projectSlug }: InputOf<typeof apiKeys.revoke> & { readonly clientId: string },
): Promise<void> {
  const key = await work.use(ApiKeyRepository).find(id);
  if (key.oauthClientId === clientId) await revokeApiKey(work, { id, projectSlug });
}
