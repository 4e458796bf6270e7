import { describeSecret, formatSecret, hashSecret } from '../../access/key-secret.js';
import { mayGrant } from '../../access/authorize.js';
import { AppError, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { createApiKey as contract } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { ApiKey, KeyAction, KeyType } from '../../../contracts/resources/api-key.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentApiKey } from './api-key.presenter.js';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';

type Input = InputOf<typeof contract>;

/** Actions of a key that names none: the unsafe empty list is a deliberate choice but for management (decisions 2.4). */
const defaultPermissions: Readonly<Record<KeyType, KeyAction[]>> = {
  delivery: ['read'],
  preview: ['read'],
  management: [],
};

function assertReferences(catalog: Catalog, input: Input, siteIds: readonly string[]): void {
  const unknown = siteIds.findIndex((id) => catalog.site(id) === undefined);
  if (unknown >= 0) throw new AppError('site_not_found', { path: ['siteIds', unknown] });
  const { environment } = input;
  if (environment !== undefined && environment !== null && environment !== catalog.data.environment.slug) {
    throw new AppError('environment_not_found', { path: ['environment'] });
  }
}

function expiryOf(input: Input, now: Date): Date | null {
  if (input.expiresAt === undefined || input.expiresAt === null) return null;
  const expiresAt = new Date(input.expiresAt);
  if (expiresAt > now) return expiresAt;
  throw invalidInput({ path: ['expiresAt'], code: 'in_the_past', message: 'Must be in the future.' });
}

/** A key may not write where its creator may not. */
function assertNoEscalation(
  work: UnitOfWork,
  permissions: readonly string[],
  siteIds: readonly string[],
): void {
  const { permittedActions, writableSiteIds } = work.scope;
  const reachesFurther =
    writableSiteIds.length > 0 &&
    (siteIds.length === 0 || siteIds.some((id) => !writableSiteIds.includes(id)));
  if (reachesFurther || !mayGrant(permittedActions, permissions)) {
    throw new AppError(
      'permission_denied',
      { resource: 'apiKeys', action: 'create' },
      'A key cannot be given more than its creator may do.',
    );
  }
}

/** Creates a key; its secret leaves the service once, in this answer. */
export async function createApiKey(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: ApiKey & { secret: string } }> {
  const catalog = await work.use(CatalogRepository).current();
  const given = (input.siteIds ?? []).map((id) => id.toLowerCase());
  assertReferences(catalog, input, given);
  const permissions = [...new Set(input.permissions ?? defaultPermissions[input.type])];
  const siteIds = [...new Set(given)];
  assertNoEscalation(work, permissions, siteIds);
  const keys = work.use(ApiKeyRepository);
  if ((await keys.countUsable()) >= limits.apiKeysPerProject)
    throw new AppError('limit_reached', { limit: limits.apiKeysPerProject });
  const secret = formatSecret(input.type, randomSecretBytes());
  const { environment, tenant, project } = catalog.data;
  const key: ApiKeyRow = {
    tenantId: tenant.id,
    projectId: project.id,
    id: work.newId(),
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    permissions,
    siteIds,
    environmentId: typeof input.environment === 'string' ? environment.id : null,
    ...describeSecret(secret),
    secretHash: hashSecret(secret),
    expiresAt: expiryOf(input, work.now),
    revokedAt: null,
    lastUsedAt: null,
    requireConfirmation: input.requireConfirmation,
    createdAt: work.now,
    createdBy: work.scope.actor,
    updatedAt: work.now,
  };
  await keys.insert(key);
  work.emit({ type: 'api_key.created', data: { apiKeyId: key.id, name: key.name, type: key.type } });
  return { data: { ...presentApiKey(key, { now: work.now, environment }), secret } };
}
