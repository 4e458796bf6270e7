import { orphanedSql } from '../../shared/key-reach.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** Counts stop here. */
const MAXIMUM = 10_000;

/** Sources are ordered by an index, so that the planner does not scan for a few matching rows. */
const atMost = (source: string): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${MAXIMUM}) found)`;

/** Changes that were noted for work in the background. */
type Noted = 'search' | 'filters' | 'health';
type Queue = Noted | 'jobs' | 'audit' | 'outbox' | 'webhooks' | 'mails';
type Lagging = Queue | 'edge';

/** The time of the first note of each list of a table, found by its primary key, which is the list and `id`. */
function firstNotes(table: string, list: readonly string[]): string {
  const columns = list.join(', ');
  const first = (condition = ''): string =>
    `(SELECT ${columns}, noted_at FROM ${table} ${condition} ORDER BY ${columns}, id LIMIT 1)`;
  const after = `WHERE (${columns}) > (${list.map((column) => `found.${column}`).join(', ')})`;
  return `WITH RECURSIVE found AS (${first()}
      UNION ALL SELECT following.* FROM found CROSS JOIN LATERAL ${first(after)} AS following)
    SELECT min(noted_at) FROM found`;
}

const secondsSince = (time: string): string =>
  `greatest(0, coalesce(extract(epoch FROM clock_timestamp() - (${time})), 0))::float8`;

const due = (time: string, source: string): string =>
  `SELECT min(${time}) FROM (SELECT ${time} FROM ${source} LIMIT ${MAXIMUM}) found`;

/** Seconds that the oldest work of each queue has been due. Needs a platform scope. */
export const queueLagsSql = `SELECT
  ${secondsSince('SELECT noted_at FROM search_queue ORDER BY id LIMIT 1')} AS search,
  ${secondsSince(firstNotes('filter_notes', ['environment_id', 'content_type_id']))} AS filters,
  ${secondsSince(firstNotes('health_notes', ['environment_id']))} AS health,
  ${secondsSince(`SELECT next_attempt_at FROM scheduled_jobs j WHERE status = 'scheduled' AND next_attempt_at <= now() AND NOT ${orphanedSql('j', 'now()')} ORDER BY next_attempt_at LIMIT 1`)} AS jobs,
  ${secondsSince('SELECT at FROM audit_events WHERE number > (SELECT audit_sealed_to()) ORDER BY number LIMIT 1')} AS audit,
  ${secondsSince('SELECT created_at FROM outbox_events ORDER BY id LIMIT 1')} AS outbox,
  ${secondsSince(due('next_attempt_at', `webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()`))} AS webhooks,
  ${secondsSince(`SELECT next_attempt_at FROM mails WHERE status = 'pending' ORDER BY next_attempt_at LIMIT 1`)} AS mails,
  ${secondsSince('SELECT due_at FROM edge_purges ORDER BY due_at, id LIMIT 1')} AS edge`;

/** Needs a platform scope. */
export class QueueDepthRepository extends Repository {
  /** Due jobs and deliveries, undelivered events, unsealed records and noted changes. */
  async depths(): Promise<Record<Queue, number>> {
    const [row] = await this.query<Record<Queue, number>>(
      `SELECT ${atMost(`scheduled_jobs j WHERE status = 'scheduled' AND next_attempt_at <= now() AND NOT ${orphanedSql('j', 'now()')} ORDER BY next_attempt_at`)} AS jobs,
         ${atMost('audit_events WHERE number > (SELECT audit_sealed_to()) ORDER BY number')} AS audit, ${atMost('outbox_events')} AS outbox, ${atMost('search_queue')} AS search,
         ${atMost('filter_notes')} AS filters, ${atMost('health_notes')} AS health,
         ${atMost(`webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()`)} AS webhooks,
         ${atMost(`mails WHERE status = 'pending' AND next_attempt_at <= now()`)} AS mails`,
    );
    return row ?? { jobs: 0, audit: 0, outbox: 0, search: 0, filters: 0, health: 0, webhooks: 0, mails: 0 };
  }

  /** Seconds that the oldest work has been due. */
  async lags(): Promise<Record<Lagging, number>> {
    const [row] = await this.query<Record<Lagging, number>>(queueLagsSql);
    const none = { jobs: 0, audit: 0, outbox: 0, search: 0, filters: 0, health: 0, webhooks: 0, mails: 0 };
    return row ?? { ...none, edge: 0 };
  }
}
