import type { WorkScope } from '../../persistence/work/unit-of-work.js';

type Maker = Pick<WorkScope, 'actor' | 'keyBounds'>;

/** The key that makes something, which ends with it (rule access/key-expiry); null for users. */
export const makingKey = ({ actor }: Pick<Maker, 'actor'>): string | null =>
  actor.type === 'api_key' ? actor.id : null;

/** The given time, or the expiry of the calling key if that is earlier (rule access/key-expiry). */
export function withinKey({ keyBounds }: Pick<Maker, 'keyBounds'>, at: Date): Date {
  const end = keyBounds?.expiresAt ?? null;
  return end !== null && end < at ? end : at;
}

/**
 * SQL condition: the key that made a row has expired or was revoked, or no longer exists (rule access/key-expiry).
 * @param row alias of a table with `tenant_id` and `owner_key_id`
 * @param now SQL of the time
 */
export const orphanedSql = (row: string, now: string): string =>
  `(${row}.owner_key_id IS NOT NULL AND NOT EXISTS (SELECT FROM api_keys k WHERE k.tenant_id = ${row}.tenant_id
     AND k.id = ${row}.owner_key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})))`;
