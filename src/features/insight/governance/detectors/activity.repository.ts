import { Repository } from '../../../../persistence/repositories/repository.js';

/** Many actions of one actor within a short time. */
export interface Burst {
  readonly actorType: 'user' | 'api_key';
  readonly actorId: string;
  readonly actorName: string;
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
}

export interface BurstQuery {
  readonly actions: readonly string[];
  readonly windowSeconds: number;
  /** At least so many actions in the window. */
  readonly minimum: number;
  /** Only of users, at night or on weekends, in UTC. */
  readonly isOffHours?: boolean;
  readonly after: Date;
  readonly until: Date;
}

/** Before 6, from 22 on, or on a weekend. */
const offHours = ` AND actor ->> 'type' = 'user' AND (extract(isodow FROM at AT TIME ZONE 'UTC') > 5
           OR extract(hour FROM at AT TIME ZONE 'UTC') NOT BETWEEN 6 AND 21)`;

/** Actions of users and keys in the environment, from the audit records. */
export class ActivityRepository extends Repository {
  /** The latest burst of each actor whose last action is in the range. */
  async bursts({ actions, windowSeconds, minimum, isOffHours, after, until }: BurstQuery): Promise<Burst[]> {
    return this.query<Burst>(
      `SELECT DISTINCT ON (type, id) type AS "actorType", id AS "actorId", name AS "actorName", first AS "from", at AS "to", n AS count
       FROM (SELECT actor ->> 'type' AS type, (actor ->> 'id')::uuid AS id, actor ->> 'name' AS name, at,
           (count(*) OVER w)::int AS n, min(at) OVER w AS first
         FROM audit_events WHERE chain_id = $1 AND environment_id = $2 AND action = ANY($3::text[])
           AND at > $4::timestamptz - make_interval(secs => $6) AND at <= $5 AND actor ->> 'type' IN ('user', 'api_key')${isOffHours === true ? offHours : ''}
         WINDOW w AS (PARTITION BY actor ->> 'type', actor ->> 'id' ORDER BY at
           RANGE BETWEEN make_interval(secs => $6) PRECEDING AND CURRENT ROW)) AS counted
       WHERE n >= $7 AND at > $4 ORDER BY type, id, at DESC`,
      [this.projectId, this.environmentId, [...actions], after, until, windowSeconds, minimum],
    );
  }
}
