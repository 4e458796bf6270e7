import { Repository } from '../../persistence/repositories/repository.js';

/** Counts stop here. */
const MAXIMUM = 10_000;

/** Sources are ordered by an index, so that the planner does not scan for a few matching rows. */
const atMost = (source: string): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${MAXIMUM}) found)`;

type Queue = 'jobs' | 'audit' | 'outbox' | 'search' | 'webhooks';

/** Needs a platform scope. */
export class QueueDepthRepository extends Repository {
  /** Due jobs and deliveries, undelivered events and unsealed records. */
  async depths(): Promise<Record<Queue, number>> {
    const [row] = await this.query<Record<Queue, number>>(
      `SELECT ${atMost(`scheduled_jobs WHERE status = 'scheduled' AND next_attempt_at <= now() ORDER BY next_attempt_at`)} AS jobs,
         ${atMost('audit_events WHERE number > (SELECT audit_sealed_to()) ORDER BY number')} AS audit, ${atMost('outbox_events')} AS outbox, ${atMost('search_queue')} AS search,
         ${atMost(`webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()`)} AS webhooks`,
    );
    return row ?? { jobs: 0, audit: 0, outbox: 0, search: 0, webhooks: 0 };
  }
}
