import type { ApiKey } from '../../../contracts/resources/api-key.js';
import type { Actor } from '../../../contracts/resources/actor.js';
import type { ApiKeyRow } from './api-key.repository.js';

const time = (value: Date | null): string | null => value?.toISOString() ?? null;

function statusOf(row: ApiKeyRow, now: Date): ApiKey['status'] {
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active';
}

/** What to know beside the row. */
export interface KeySurroundings {
  readonly now: Date;
  /** Slug of the environment that keys of this project may be bound to. */
  readonly environment: { readonly id: string | null; readonly slug: string | null };
}

/** A key as management shows it: never its hash. */
export function presentApiKey(row: ApiKeyRow, { now, environment }: KeySurroundings): ApiKey {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    permissions: row.permissions as ApiKey['permissions'],
    siteIds: row.siteIds,
    environment: row.environmentId === environment.id ? environment.slug : null,
    prefix: row.prefix,
    lastFour: row.lastFour,
    expiresAt: time(row.expiresAt),
    revokedAt: time(row.revokedAt),
    lastUsedAt: time(row.lastUsedAt),
    requireConfirmation: row.requireConfirmation,
    status: statusOf(row, now),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy as Actor,
  };
}
