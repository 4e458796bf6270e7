import { describeSecret, formatSecret, hashSecret } from '../../access/key-secret.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey, KeyAction, KeyType } from '../../../contracts/resources/api-key.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import { EnvironmentRepository } from '../environments/index.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertNetworks, assertNoEscalation, parseExpiry } from './api-key.policy.js';
import { presentApiKey, presentationContext } from './api-key.presenter.js';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';

type Input = InputOf<typeof apiKeys.create>;

/**
 * Used when `permissions` is omitted. An empty list permits everything, so only management keys default to it
 * (decisions 2.4).
 */
const defaultPermissions: Readonly<Record<KeyType, KeyAction[]>> = {
  delivery: ['read'],
  preview: ['read'],
  management: [],
};

function assertReferences(catalog: Catalog, input: Input, siteIds: readonly string[]): void {
  const unknown = siteIds.findIndex((id) => catalog.site(id) === undefined);
  if (unknown >= 0) throw new AppError('site_not_found', { path: ['siteIds', unknown] });
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
    expiresAt: parseExpiry(input.expiresAt, work.now),
    revokedAt: null,
    lastUsedAt: null,
    requireConfirmation: input.requireConfirmation,
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
  assertReferences(catalog, input, given);
  assertNetworks(input.ipAllowlist ?? []);
  const keys = work.use(ApiKeyRepository);
  if ((await keys.countUnrevoked()) >= limits.apiKeysPerProject)
    throw new AppError('limit_reached', { limit: limits.apiKeysPerProject });
  const { secret, row } = await newKey(work, catalog, { ...input, siteIds: given });
  await assertNoEscalation(work, row, 'create');
  await keys.insert(row);
  work.emit({ type: 'api_key.created', data: { apiKeyId: row.id, name: row.name, type: row.type } });
  return { data: { ...presentApiKey(row, await presentationContext(work, [row])), secret } };
}
