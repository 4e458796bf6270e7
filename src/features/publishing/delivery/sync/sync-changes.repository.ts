import type { SiteRedirect } from '../../../../../contracts/publishing/delivery/route.js';
import { limits } from '../../../../../contracts/limits.js';
import type { Statement, StatementReader } from '../../../../persistence/connections/read-pool.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { allowedPatterns, allowedTargetSql } from '../../../routing/redirects/index.js';
import type { SyncMoment } from './sync-cursor.js';

/** A moment, and the revision of the catalog then. */
export interface ReadMoment extends SyncMoment {
  readonly revision: string;
}

/** What has changed, and its place among the changes. */
export interface SyncChange {
  readonly kind: 'entry' | 'asset' | 'route' | 'redirect' | 'type' | 'site' | 'locale';
  readonly id: string;
  readonly locale: string | null;
  /** Transaction and number. */
  readonly at: readonly [string, string];
}

export interface ChangeQuery {
  readonly siteId: string;
  readonly since: string;
  readonly until: string;
  readonly after: readonly [string, string] | undefined;
  readonly limit: number;
}

/** Entries of one type in one locale. */
export interface EntryPart {
  readonly contentTypeId: string;
  readonly locale: string;
}

/** A key of a walk, and the position after which it continues. */
export interface WalkedKey {
  readonly id: string;
  readonly position: readonly string[];
}

export interface WalkQuery {
  readonly siteId: string;
  readonly after: readonly string[];
  readonly limit: number;
}

/** Reads what has changed, and the keys of all content. Each method is one statement. */
export interface SyncSource {
  now(): Promise<ReadMoment>;
  changes(query: ChangeQuery): Promise<SyncChange[]>;
  entryParts(siteId: string): Promise<EntryPart[]>;
  entries(part: EntryPart & { readonly isForAll: boolean }, query: WalkQuery): Promise<WalkedKey[]>;
  routes(locale: string, query: WalkQuery): Promise<WalkedKey[]>;
  assets(query: WalkQuery): Promise<WalkedKey[]>;
  redirects(query: WalkQuery): Promise<WalkedKey[]>;
  redirectsOf(
    ids: readonly string[],
    site: { readonly id: string; readonly allowedTargets: readonly string[] | null },
  ): Promise<ReadonlyMap<string, SiteRedirect>>;
}

/** Longer snapshots are replaced by their horizon: what was being written is returned again. */
const LONGEST_SNAPSHOT = 2000;

const now = {
  name: 'sync_now',
  text: `SELECT pg_current_snapshot()::text AS snapshot, h.revision::text AS revision,
      extract(epoch FROM clock_timestamp())::float8 AS at,
      (SELECT system_identifier FROM pg_control_system()) || ' ' || (SELECT timeline_id FROM pg_control_checkpoint()) AS cluster
    FROM environment_heads h WHERE h.environment_id = $1`,
};

const EVERY_SITE = "'00000000-0000-0000-0000-000000000000'::uuid";

/** In the order of transactions, which is not that of their ends: the snapshots say which of them are meant. */
const changesOf = (site: string): string => `(SELECT xid, id, kind, item_id, locale FROM sync_changes
      WHERE environment_id = $1 AND site_id = ${site} AND xid < pg_snapshot_xmax($4::pg_snapshot) AND (xid, id) > ($5::xid8, $6::bigint)
        AND NOT pg_visible_in_snapshot(xid, $3::pg_snapshot) AND pg_visible_in_snapshot(xid, $4::pg_snapshot)
      ORDER BY xid, id LIMIT $7)`;

const changes = {
  name: 'sync_changes',
  text: `SELECT kind, item_id AS id, locale, jsonb_build_array(xid::text, id::text) AS at
    FROM (${changesOf('$2')} UNION ALL ${changesOf(EVERY_SITE)}) AS c ORDER BY c.xid, c.id LIMIT $7`,
};

const entryParts = {
  name: 'sync_entry_parts',
  text: `SELECT content_type_id AS "contentTypeId", locale FROM published_counts
    WHERE environment_id = $1 AND site_id = $2 GROUP BY 1, 2 HAVING sum(entries) > 0`,
};

/** Times as strings with microseconds. */
const timeText = `to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

const entries = (isForAll: boolean, isFirst: boolean): Statement => ({
  name: `sync_entries${isForAll ? '_for_all' : ''}${isFirst ? '_first' : ''}`,
  text: `SELECT p.entry_id AS id, jsonb_build_array(${timeText}, p.entry_id) AS position FROM published_entries p
    WHERE p.environment_id = $1 AND p.site_id = $2 AND p.content_type_id = $4 AND p.locale = $5 ${isForAll ? 'AND p.all_locales' : ''}
      ${isFirst ? '' : "AND (p.created_at, p.entry_id) > ($6::timestamp AT TIME ZONE 'UTC', $7::uuid)"}
    ORDER BY p.created_at, p.entry_id LIMIT $3`,
});

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const routes = {
  name: 'sync_routes',
  text: `SELECT r.entry_id AS id, jsonb_build_array(r.served_path, r.entry_id) AS position FROM routes r
    WHERE r.environment_id = $1 AND r.site_id = $2 AND r.locale = $4 AND r.entry_id IS NOT NULL AND r.served_path IS NOT NULL
      AND (r.served_path, r.entry_id) > ($5, $6::uuid)
    ORDER BY r.served_path, r.entry_id LIMIT $3`,
};

const assets = {
  name: 'sync_assets',
  text: `SELECT a.id, jsonb_build_array(a.id) AS position FROM media_assets a
    WHERE a.environment_id = $1 AND (a.site_ids = '{}' OR $2 = ANY (a.site_ids)) AND a.id > $4::uuid ORDER BY a.id LIMIT $3`,
};

const redirects = {
  name: 'sync_redirects',
  text: `SELECT r.id, jsonb_build_array(r.id) AS position FROM redirects r
    WHERE r.environment_id = $1 AND r.site_id = $2 AND r.is_active AND r.id > $4::uuid ORDER BY r.id LIMIT $3`,
};

const redirectsOf = {
  name: 'sync_redirects_of',
  text: `SELECT id, source, target, status, match_type AS "matchType", query_match AS "queryMatch", locale FROM redirects
    WHERE environment_id = $1 AND site_id = $2 AND is_active AND id = ANY ($3::uuid[]) AND ${allowedTargetSql('$4')}`,
};

/** Changes and content of one environment, by prepared statements. */
export class SyncChanges implements SyncSource {
  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
  ) {}

  async now(): Promise<ReadMoment> {
    const [moment] = await this.pool.run<ReadMoment>(now, [this.environmentId]);
    // The environment has been deleted since the call was admitted.
    if (moment === undefined) return { snapshot: '0:0:', at: 0, cluster: '', revision: '' };
    const { snapshot, ...others } = moment;
    const [oldest = ''] = snapshot.split(':');
    return { ...others, snapshot: snapshot.length > LONGEST_SNAPSHOT ? `${oldest}:${oldest}:` : snapshot };
  }

  changes({ siteId, since, until, after, limit }: ChangeQuery): Promise<SyncChange[]> {
    const [oldest = '0'] = since.split(':');
    const [xid, id] = after ?? [oldest, '0'];
    return this.pool.run<SyncChange>(changes, [this.environmentId, siteId, since, until, xid, id, limit]);
  }

  entryParts(siteId: string): Promise<EntryPart[]> {
    return this.pool.run<EntryPart>(entryParts, [this.environmentId, siteId]);
  }

  entries(
    { contentTypeId, locale, isForAll }: EntryPart & { readonly isForAll: boolean },
    { siteId, after, limit }: WalkQuery,
  ): Promise<WalkedKey[]> {
    const values = [this.environmentId, siteId, limit, contentTypeId, locale, ...after];
    return this.pool.run<WalkedKey>(entries(isForAll, after.length === 0), values);
  }

  routes(locale: string, { siteId, after, limit }: WalkQuery): Promise<WalkedKey[]> {
    const [path = '', id = FIRST_ID] = after;
    return this.pool.run<WalkedKey>(routes, [this.environmentId, siteId, limit, locale, path, id]);
  }

  assets(query: WalkQuery): Promise<WalkedKey[]> {
    return this.#byId(assets, query);
  }

  redirects(query: WalkQuery): Promise<WalkedKey[]> {
    return this.#byId(redirects, query);
  }

  async redirectsOf(
    ids: readonly string[],
    {
      id: siteId,
      allowedTargets,
    }: { readonly id: string; readonly allowedTargets: readonly string[] | null },
  ): Promise<ReadonlyMap<string, SiteRedirect>> {
    if (ids.length === 0) return new Map();
    const values = [this.environmentId, siteId, ids, allowedPatterns(allowedTargets)];
    const found = await this.pool.run<SiteRedirect & { id: string }>(redirectsOf, values);
    return new Map(found.map(({ id, ...redirect }) => [id, redirect]));
  }

  #byId(statement: Statement, { siteId, after: [id = FIRST_ID], limit }: WalkQuery): Promise<WalkedKey[]> {
    return this.pool.run<WalkedKey>(statement, [this.environmentId, siteId, limit, id]);
  }
}

/** A transaction that started before a cursor was issued may have noted its changes a day earlier. */
const KEPT_DAYS = limits.syncDays + 1;
const PRUNED_AT_ONCE = 50_000;

/** Changes of all tenants; requires platform work. */
export class SyncChangeRepository extends Repository {
  /** Deletes changes that no valid cursor needs; the rest is deleted the next time. */
  async prune(): Promise<void> {
    await this.query(
      `DELETE FROM sync_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM sync_changes
         WHERE noted_at < $1::timestamptz - interval '${String(KEPT_DAYS)} days' LIMIT ${String(PRUNED_AT_ONCE)}))`,
      [this.bound.now],
    );
  }
}
