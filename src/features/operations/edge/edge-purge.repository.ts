import { Repository } from '../../../persistence/repositories/repository.js';

export interface NotedPurge {
  readonly id: string;
  readonly tenantId: string | null;
  /** Cache tags of the process (`purgeTags`). */
  readonly tags: readonly string[];
  /** This is the second time. */
  readonly isSent: boolean;
}

/** Whose ids the tags contain. */
export interface TaggedIds {
  readonly contentTypes: readonly string[];
  readonly sites: readonly string[];
  readonly environments: readonly string[];
  readonly apiKeys: readonly string[];
}

export interface KeyedNames {
  readonly types: readonly string[];
  readonly sites: readonly string[];
  readonly projects: readonly string[];
}

/** How long delivery responses may be served from a cache: `max-age` and `stale-while-revalidate`. */
const USEFUL = '65 minutes';
/** Exceeds the duration of an attempt; then the claiming process counts as dead. */
const LEASE = '2 minutes';

/** Needs a platform scope. Times are those of the database, which notes them. */
export class EdgePurgeRepository extends Repository {
  /** From the next transaction on, changes are noted, or not any more. */
  async note(isOn: boolean): Promise<void> {
    await this.query(
      isOn
        ? 'INSERT INTO edge_purging (is_on) VALUES (true) ON CONFLICT DO NOTHING'
        : 'WITH off AS (DELETE FROM edge_purging) DELETE FROM edge_purges',
    );
  }

  /** No other process takes them before the lease ends. */
  async claim(limit: number): Promise<NotedPurge[]> {
    return this.query<NotedPurge>(
      `UPDATE edge_purges SET due_at = now() + interval '${LEASE}'
       WHERE id IN (SELECT id FROM edge_purges WHERE due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, tenant_id AS "tenantId", tags, is_sent AS "isSent"`,
      [limit],
    );
  }

  /** Those that exist. */
  async names(tenantId: string, ids: TaggedIds): Promise<KeyedNames> {
    await this.query("SELECT set_config('headwater.tenant_id', $1, true)", [tenantId]);
    const [found] = await this.query<KeyedNames>(
      `SELECT ARRAY(SELECT DISTINCT api_name FROM content_types WHERE id = ANY($1::uuid[])) AS types,
         ARRAY(SELECT slug FROM sites WHERE id = ANY($2::uuid[])) AS sites,
         ARRAY(SELECT project_slug FROM environment_heads WHERE tenant_id = $5 AND environment_id = ANY($3::uuid[])
           UNION SELECT p.slug FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.id = ANY($4::uuid[])) AS projects`,
      [ids.contentTypes, ids.sites, ids.environments, ids.apiKeys, tenantId],
    );
    return found ?? { types: [], sites: [], projects: [] };
  }

  /** What was sent once is due again after a pause; what was sent twice is done. */
  async settle(ids: readonly string[], againSeconds: number): Promise<void> {
    await this.query(
      `WITH done AS (DELETE FROM edge_purges WHERE id = ANY($1::bigint[]) AND is_sent)
       UPDATE edge_purges SET is_sent = true, due_at = now() + make_interval(secs => $2)
       WHERE id = ANY($1::bigint[]) AND NOT is_sent`,
      [ids, againSeconds],
    );
  }

  /** Deletes notes of what no cache can have any more. */
  async prune(): Promise<void> {
    await this.query(`DELETE FROM edge_purges WHERE noted_at < now() - interval '${USEFUL}'`);
  }

  async postpone(ids: readonly string[], seconds: number): Promise<void> {
    await this.query(
      'UPDATE edge_purges SET due_at = now() + make_interval(secs => $2) WHERE id = ANY($1::bigint[])',
      [ids, seconds],
    );
  }
}
