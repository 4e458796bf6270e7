import type { ApiKey } from '../../../contracts/resources/api-key.js';
import type { Actor } from '../../../contracts/resources/actor.js';
import { effectivePermissions } from '../../access/key-grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
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
  /** The only environment that keys of this project can be bound to. */
  readonly environment: { readonly id: string | null; readonly slug: string | null };
}

export function presentationContext({ now, scope }: UnitOfWork): PresentationContext {
  return { now, environment: { id: scope.environmentId, slug: scope.environmentSlug } };
}

/** Never contains the hash. */
export function presentApiKey(row: ApiKeyRow, { now, environment }: PresentationContext): ApiKey {
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
    environment: row.environmentId === environment.id ? environment.slug : null,
    prefix: row.prefix,
    lastFour: row.lastFour,
    rateLimit: row.rateLimit,
    ipAllowlist: row.ipAllowlist,
    draftOnly: row.draftOnly,
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
