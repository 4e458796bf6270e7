import { Repository } from '../../../../persistence/repositories/repository.js';
import { systemScope, type UnitOfWorkFactory } from '../../../../persistence/work/unit-of-work.js';

const request = { scope: systemScope({ command: 'reports' }), isReadOnly: false, lock: 'none' } as const;

/** Adds all sealed audit records to the counts of reports; returns how many numbers of records. */
export async function countActivity(units: UnitOfWorkFactory): Promise<number> {
  for (let total = 0; ;) {
    const counted = await units.run(request, (work) => work.use(ActivityCounterRepository).count());
    total += counted;
    if (counted === 0) return total;
  }
}

interface CountDifference {
  /** What was counted. */
  readonly of: string;
  readonly problem: string;
}

const dimensions = `grain, start, action, actor_type, actor_id, interface, site_id, locale, content_type_id`;

/** Compares counts of activity with the audit records that are kept. */
export class ActivityCheckRepository extends Repository {
  differences(limit: number): Promise<CountDifference[]> {
    return this.query<CountDifference>(
      `WITH kept AS (SELECT date_bin('1 day', now() - interval '390 days', 'epoch') AS since,
           coalesce((SELECT number FROM report_marks WHERE name = 'activity'), 0) AS number),
         expected AS (
           SELECT r.grain, r.start, r.action, r.actor_type, r.actor_id, r.interface, r.site_id, r.locale, r.content_type_id,
             count(*) AS events
           FROM kept k JOIN activity_counted r ON r.chain_id = $1 AND r.environment_id = $2 AND r.number <= k.number AND r.at >= k.since
           GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9),
         actual AS (
           SELECT ${dimensions}, events FROM activity_counts c, kept k
           WHERE c.project_id = $1 AND c.environment_id = $2 AND c.start >= k.since)
       SELECT format('activity %s %s %s', action, grain, start) AS of,
         format('%s counted, should be %s', coalesce(a.events, 0), coalesce(e.events, 0)) AS problem
       FROM expected e FULL JOIN actual a USING (${dimensions})
       WHERE a.events IS DISTINCT FROM e.events ORDER BY 1 LIMIT $3`,
      [this.projectId, this.environmentId, limit],
    );
  }

  async repair(): Promise<void> {
    await this.query('SELECT recount_activity($1, $2)', [this.projectId, this.environmentId]);
  }
}

/** Numbers of records in one transaction. */
const NUMBERS_PER_PASS = 20_000;

/** Counts sealed audit records. Needs a platform scope. */
export class ActivityCounterRepository extends Repository {
  /** Counts the next records; returns how many numbers, 0 at the end or while another worker counts. */
  async count(): Promise<number> {
    await this.allowTime(60);
    const [row] = await this.query<{ counted: number }>('SELECT count_activity($1)::float8 AS counted', [
      NUMBERS_PER_PASS,
    ]);
    return row?.counted ?? 0;
  }

  /** Deletes counts of more than 400 days ago. */
  async prune(): Promise<void> {
    await this.query('SELECT prune_activity()');
  }
}
