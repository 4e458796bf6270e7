import type { Actor } from '../../../contracts/resources/actor.js';
import type { Page } from '../../../contracts/envelopes.js';
import type { JobKind, JobStatus } from '../../../contracts/resources/schedule.js';
import { orphanedSql } from '../shared/index.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { JobFailure, JobPayload } from './scheduled-job.repository.js';

export interface StoredSchedule {
  readonly id: string;
  readonly kind: JobKind;
  readonly locale: string;
  readonly version: number | null;
  readonly status: JobStatus;
  readonly scheduledAt: Date;
  readonly timezone: string;
  readonly options: JobPayload;
  readonly error: JobFailure | null;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  /** Its key has ended, so that it does not run. */
  readonly orphaned: boolean;
  readonly completedAt: Date | null;
}

interface Window {
  readonly statuses: readonly JobStatus[];
  readonly limit: number;
  readonly offset: number;
}

/** @param now SQL of the time */
const columns = (
  now: string,
): string => `id, kind, locale, version, status, scheduled_at AS "scheduledAt", timezone,
  options, error, created_at AS "createdAt", created_by AS "createdBy", completed_at AS "completedAt",
  j.status = 'scheduled' AND ${orphanedSql('j', now)} AS orphaned`;

export class ScheduleListRepository extends Repository {
  /** Jobs of one entry, soonest first. */
  async list(entryId: string, { statuses, limit, offset }: Window): Promise<Page<StoredSchedule>> {
    const matching =
      'FROM scheduled_jobs j WHERE environment_id = $1 AND entry_id = $2 AND status = ANY($3::text[])';
    const bind = [this.environmentId, entryId, [...statuses]];
    const [items, [count]] = await Promise.all([
      this.query<StoredSchedule>(
        `SELECT ${columns('$6')} ${matching} ORDER BY scheduled_at, id LIMIT $4 OFFSET $5`,
        [...bind, limit, offset, this.bound.now],
      ),
      this.query<{ total: number }>(`SELECT count(*)::int AS total ${matching}`, bind),
    ]);
    return { items, total: count?.total ?? 0 };
  }

  async find(id: string): Promise<StoredSchedule | undefined> {
    const [job] = await this.query<StoredSchedule>(
      `SELECT ${columns('$3')} FROM scheduled_jobs j WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, id, this.bound.now],
    );
    return job;
  }
}
