import type { ApiKey } from '../../../../contracts/access/api-keys/api-key.js';
import type { Actor } from '../../../../contracts/actor.js';
import { effectivePermissions } from '../../../access/key-grants.js';
import { EnvironmentRepository } from '../../environments/environments/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { ApiKeyRow } from './api-key.repository.js';

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
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy as Actor,
    updatedAt: row.updatedAt.toISOString(),
  };
}
