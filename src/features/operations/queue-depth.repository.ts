import { Repository } from '../../persistence/repositories/repository.js';

/** Beyond this nobody needs the exact number. */
const MOST = 10_000;

/** With an order that an index has, so that the planner does not look for the few that count among all. */
const atMost = (source: string): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${MOST}) found)`;

type Queue = 'jobs' | 'audit' | 'outbox' | 'webhooks';

/** How much work waits; needs platform work. */
export class QueueDepthRepository extends Repository {
  /** What each queue holds, counted up to 10,000: jobs and deliveries that are due, events not handed on, records not sealed. */
  async depths(): Promise<Record<Queue, number>> {
    const [row] = await this.query<Record<Queue, number>>(
      `SELECT ${atMost(`scheduled_jobs WHERE status = 'scheduled' AND next_attempt_at <= now() ORDER BY next_attempt_at`)} AS jobs,
         ${atMost('audit_events WHERE number > (SELECT audit_sealed_to()) ORDER BY number')} AS audit, ${atMost('outbox_events')} AS outbox,
         ${atMost(`webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()`)} AS webhooks`,
    );
    return row ?? { jobs: 0, audit: 0, outbox: 0, webhooks: 0 };
  }
}
