import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { grantsOfKey, mayGiveActions, effectivePermissions } from '../../../access/key-grants.js';
import { isWithin, networkIssues } from '../../../access/address-rules.js';
import { EnvironmentRepository } from '../../environments/environments/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertMayGiveGrants } from '../roles/index.js';
import type { ApiKeyRow } from './api-key.repository.js';
import type { ApiKey } from '../../../../contracts/access/api-keys/api-key.js';
import type { Actor } from '../../../../contracts/actor.js';

const time = (value: Date | null): string | null => value?.toISOString() ?? null;

function statusOf(row: ApiKeyRow, now: Date): ApiKey['status'] {
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active';
}

const isOverlapping = ({ previousSecretExpiresAt: end }: ApiKeyRow, now: Date): boolean =>
  end !== null && end > now;

interface PresentationContext {
  readonly now: Date;
  /** Slugs of the environments that the keys are bound to. */
  readonly slugs: ReadonlyMap<string, string>;
}

export async function presentationContext(
  work: UnitOfWork,
  keys: readonly ApiKeyRow[],
): Promise<PresentationContext> {
  const ids = keys.flatMap(({ environmentId }) => environmentId ?? []);
  return { now: work.now, slugs: await work.use(EnvironmentRepository).slugs(ids) };
}

/** Never contains the hash. */
export function presentApiKey(row: ApiKeyRow, { now, slugs }: PresentationContext): ApiKey {
  const permissions = row.permissions as ApiKey['permissions'];
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    permissions,
    effectivePermissions: [
      ...effectivePermissions({ permissions, type: row.type, isDraftOnly: row.draftOnly }),
    ],
    siteIds: row.siteIds,
    environment: row.environmentId && (slugs.get(row.environmentId) ?? row.environmentId),
    prefix: row.prefix,
    lastFour: row.lastFour,
    rateLimit: row.rateLimit,
    ipAllowlist: row.ipAllowlist,
    draftOnly: row.draftOnly,
    toolsets: row.toolsets as ApiKey['toolsets'],
    expiresAt: time(row.expiresAt),
    revokedAt: time(row.revokedAt),
    lastUsedAt: time(row.lastUsedAt),
    requireConfirmation: row.requireConfirmation,
    status: statusOf(row, now),
    overlapEndsAt: time(isOverlapping(row, now) ? row.previousSecretExpiresAt : null),
    oauthClientId: row.oauthClientId,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy as Actor,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @throws AppError 422 for a time that is not in the future */
export function parseExpiry(expiresAt: string | null | undefined, now: Date): Date | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time > now) return time;
  throw invalidInput({ path: ['expiresAt'], code: 'in_the_past', message: 'Must be in the future.' });
}

/** @throws AppError 422 with one issue per invalid network */
export function assertNetworks(list: readonly string[]): void {
  const issues = list.flatMap((text, index) => networkIssues(['ipAllowlist', index], text));
  if (issues.length > 0) throw invalidInput(...issues);
}

type Rights = Pick<
  ApiKeyRow,
  | 'type'
  | 'permissions'
  | 'siteIds'
  | 'environmentId'
  | 'expiresAt'
  | 'ipAllowlist'
  | 'draftOnly'
  | 'toolsets'
  | 'requireConfirmation'
>;

/** Whether a list, which permits everything if it is empty, permits more than another. */
const isWider = (own: readonly string[], given: readonly string[]): boolean =>
  own.length > 0 && (given.length === 0 || given.some((one) => !own.includes(one)));

function exceedsCaller({ scope }: UnitOfWork, key: Rights): boolean {
  const { keyBounds: own } = scope;
  if (own === undefined) return false;
  if (!mayGiveActions(own.permissions, key.permissions)) return true;
  if (isWider(own.siteIds, key.siteIds) || isWider(own.toolsets, key.toolsets)) return true;
  if (own.environmentId !== null && own.environmentId !== key.environmentId) return true;
  if (own.expiresAt !== null && (key.expiresAt === null || key.expiresAt > own.expiresAt)) return true;
  if (own.isDraftOnly && !key.draftOnly) return true;
  if (own.requiresConfirmation && !key.requireConfirmation) return true;
  const { ipAllowlist: networks } = own;
  if (networks.length === 0) return false;
  return key.ipAllowlist.length === 0 || key.ipAllowlist.some((one) => !isWithin(networks, one));
}

/**
 * A key cannot have more rights than the caller who creates, changes, rotates or revokes it (rule access/key-limits): actions,
 * sites, environment, drafts only, toolsets, networks, expiry and confirmation; for users, also their roles.
 * @throws AppError 403 `permission_denied`, or `privilege_escalation` for a user's roles
 */
export async function assertNoEscalation(
  work: UnitOfWork,
  key: Rights,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  const message = 'You cannot create, change, rotate or revoke a key that has more rights than you.';
  if (exceedsCaller(work, key))
    throw new AppError('permission_denied', { resource: 'apiKeys', action }, message);
  if (work.scope.actor.type !== 'user') return;
  const { type, permissions, siteIds } = key;
  const { environmentId } = key;
  const slugs = await work.use(EnvironmentRepository).slugs(environmentId === null ? [] : [environmentId]);
  // One that is gone is as good as none here: the key must then be within everything.
  const environment = environmentId === null ? null : (slugs.get(environmentId) ?? null);
  await assertMayGiveGrants(work, grantsOfKey({ type, permissions, siteIds, environment }));
}

/** @throws AppError 409 `api_key_inactive` */
export function assertNotRevoked({ revokedAt }: ApiKeyRow): void {
  if (revokedAt !== null) throw new AppError('api_key_inactive', { status: 'revoked' });
}
