import type { Actor } from '../../../../../contracts/actor.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { grainsOfAll, segmentsOf, type Period, type Segment, type Span } from '../period/report-period.js';
import {
  inScope,
  isLimitedToOwn,
  type Bind,
  type ReportColumns,
  type ReportFilter,
} from '../report-scope.js';

export class UserNameRepository extends Repository {
  /** Names of these members of the project by id. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query<{ id: string; name: string }>(
      `SELECT u.id, u.name FROM members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
       WHERE m.project_id = $1 AND u.id::text = ANY($2::text[])`,
      [this.projectId, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

interface ActivityQuery {
  readonly period: Period;
  readonly filter: ReportFilter;
  /** Names such as `entry.publish`, or verbs such as `create` of anything. */
  readonly actions: { readonly names: readonly string[] } | { readonly verbs: readonly string[] };
  readonly actorType?: 'user' | 'api_key';
  readonly actorIds?: readonly string[];
}

export interface BucketCount {
  /** Position in the buckets of the period. */
  readonly bucket: number;
  readonly action: string;
  readonly events: number;
}

interface ActorCount {
  readonly actorId: string;
  readonly action: string;
  readonly events: number;
  readonly lastAt: Date;
}

export interface ActivityRecord {
  readonly entryId: string;
  readonly title: string | null;
  readonly name: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly action: string;
  readonly at: Date;
  readonly actor: Actor;
}

interface PageWindow {
  readonly limit: number;
  readonly offset: number;
}

const place: ReportColumns = {
  site: 'r.site_id',
  locale: 'r.locale',
  type: 'r.content_type_id',
  actor: 'r.actor_id',
};
const bound = (): { bind: unknown[]; value: Bind } => {
  const bind: unknown[] = [];
  return { bind, value: (given) => `$${String(bind.push(given))}` };
};
const verbSql = "split_part(r.action, '.', 2)";

/**
 * Activity of an environment: counts of sealed records, and the few records that are not counted yet, in one snapshot.
 */
export class ActivityRepository extends Repository {
  /** Events by bucket and by action, or by verb where the query has verbs. */
  async byBucket(query: ActivityQuery): Promise<BucketCount[]> {
    const isByActor = query.actorIds !== undefined || isLimitedToOwn(this.bound.scope);
    const segments = segmentsOf(query.period.buckets, isByActor ? undefined : grainsOfAll);
    const { sql, bind } = await this.#counted(query, query.period.buckets, segments);
    return this.query<BucketCount>(
      `${sql} SELECT bucket, action, sum(events)::float8 AS events FROM counted GROUP BY 1, 2`,
      bind,
    );
  }

  async byActor(query: ActivityQuery): Promise<ActorCount[]> {
    const { sql, bind } = await this.#counted(query, [query.period], segmentsOf([query.period]));
    return this.query<ActorCount>(
      `${sql} SELECT actor_id AS "actorId", action, sum(events)::float8 AS events, max(last_at) AS "lastAt"
       FROM counted GROUP BY 1, 2`,
      bind,
    );
  }

  /** Latest first. Quarters that have events are found in the counts, so that few records are read. */
  async latest(query: ActivityQuery, { limit, offset }: PageWindow): Promise<ActivityRecord[]> {
    const { bind, value } = bound();
    const tail = await this.#tail(query, value);
    const { start, end } = query.period;
    const within = `>= ${value(new Date(start))} AND`;
    return this.query<ActivityRecord>(
      `WITH ${tail}, busy AS (
         SELECT start FROM (SELECT r.start FROM activity_counts r WHERE r.project_id = ${value(this.projectId)}
           AND r.grain = 'quarter' AND r.start ${within} r.start < ${value(new Date(end))} AND ${this.#matches(query, value)}
           ORDER BY r.start DESC LIMIT ${value(limit + offset)}) AS counted
         UNION SELECT start FROM tail WHERE at ${within} at < ${value(new Date(end))}),
       page AS MATERIALIZED (
         SELECT r.* FROM busy b CROSS JOIN LATERAL (
           SELECT r.* FROM activity_records r WHERE r.chain_id = ${value(this.projectId)} AND r.at >= b.start
             AND r.at < b.start + interval '15 minutes' AND ${this.#matches(query, value)} OFFSET 0) AS r
         ORDER BY r.at DESC, r.number DESC LIMIT ${value(limit)} OFFSET ${value(offset)})
       SELECT p.target ->> 'id' AS "entryId", p.target ->> 'name' AS name, l.title, p.content_type_id AS "contentTypeId",
         p.site_id AS "siteId", p.locale, p.action, p.at, p.actor
       FROM page p LEFT JOIN entry_locales l ON l.environment_id = p.environment_id AND l.entry_id = p.entry_id
         AND l.locale = p.locale
       ORDER BY p.at DESC, p.number DESC`,
      bind,
    );
  }

  #matches({ filter, actions, actorType, actorIds }: ActivityQuery, bind: Bind): string {
    const named =
      'names' in actions
        ? `r.action = ANY(${bind(actions.names)}::text[])`
        : `${verbSql} = ANY(${bind(actions.verbs)}::text[])`;
    const conditions = [
      `r.environment_id = ${bind(this.environmentId)}`,
      named,
      inScope(this.bound.scope, filter, { place, bind }),
    ];
    if (actorType !== undefined) conditions.push(`r.actor_type = ${bind(actorType)}`);
    if (actorIds !== undefined) conditions.push(`r.actor_id = ANY(${bind(actorIds)}::text[])`);
    return conditions.join(' AND ');
  }

  /** SQL of the records that are not counted yet. */
  async #tail(query: ActivityQuery, value: Bind): Promise<string> {
    const [mark] = await this.query<{ number: string }>(
      `SELECT number::text FROM report_marks WHERE name = 'activity'`,
    );
    return `tail AS MATERIALIZED (SELECT r.* FROM activity_records r WHERE r.chain_id = ${value(this.projectId)}
      AND r.number > ${value(mark?.number ?? '0')}::bigint AND ${this.#matches(query, value)})`;
  }

  /**
   * SQL with `counted`: position of the span, action, actor, events and last_at. Counts are read segment by segment: joined
   * by grain, all quarters of all time could be read.
   */
  async #counted(
    query: ActivityQuery,
    spans: readonly Span[],
    segments: readonly Segment[],
  ): Promise<{ sql: string; bind: unknown[] }> {
    const { bind, value } = bound();
    const tail = await this.#tail(query, value);
    const columns = `${'names' in query.actions ? 'r.action' : verbSql} AS action, r.actor_id`;
    const times = (list: readonly Span[]): string =>
      [list.map(({ start }) => new Date(start)), list.map(({ end }) => new Date(end))]
        .map((given) => `${value(given)}::timestamptz[]`)
        .join(', ');
    const sql = `WITH ${tail}, counted AS MATERIALIZED (
        SELECT s.bucket, ${columns}, sum(r.events) AS events, max(r.last_at) AS last_at
          FROM unnest(${value(segments.map(({ bucket }) => bucket))}::int[], ${value(segments.map(({ grain }) => grain))}::text[],
              ${times(segments)}) AS s (bucket, grain, first, last)
            CROSS JOIN LATERAL (SELECT r.* FROM activity_counts r WHERE r.project_id = ${value(this.projectId)} AND r.grain = s.grain
              AND r.start >= s.first AND r.start < s.last AND ${this.#matches(query, value)} OFFSET 0) AS r
          GROUP BY 1, 2, 3
        UNION ALL
        SELECT (b.position - 1)::int, ${columns}, count(*), max(r.at)
          FROM unnest(${times(spans)}) WITH ORDINALITY AS b (first, last, position)
            JOIN tail r ON r.at >= b.first AND r.at < b.last
          GROUP BY 1, 2, 3)`;
    return { sql, bind };
  }
}
