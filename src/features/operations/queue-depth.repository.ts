import { Repository } from '../../persistence/repository.js';

/** Beyond this nobody needs the exact number. */
const MOST = 10_000;

const atMost = (source: string): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${MOST}) found)`;

/** How much work waits; needs platform work. */
export class QueueDepthRepository extends Repository {
  /** Jobs that are due, and audit records that are not sealed, each counted up to 10,000. */
  async depths(): Promise<{ jobs: number; audit: number }> {
    const [row] = await this.query<{ jobs: number; audit: number }>(
      `SELECT ${atMost(`scheduled_jobs WHERE status = 'scheduled' AND next_attempt_at <= now()`)} AS jobs,
         ${atMost('audit_events WHERE number > audit_sealed_to()')} AS audit`,
    );
    return row ?? { jobs: 0, audit: 0 };
  }
}
