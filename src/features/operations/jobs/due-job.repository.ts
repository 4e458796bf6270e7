import type { Actor } from '../../../../contracts/actor.js';
import { orphanedSql } from '../../shared/key-reach.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { AddressRow } from '../../../persistence/work/unit-of-work.js';
import type { Page } from '../../../../contracts/envelopes.js';
import type { JobKind, JobStatus } from '../../../../contracts/entries/schedules/schedule.js';
import type { JobFailure, JobPayload } from './scheduled-job.repository.js';

/** A due job, with the address and the actor that it runs for. */
export interface DueJob extends AddressRow {
  readonly id: string;
  readonly dueAt: Date;
  readonly isTenantActive: boolean;
  readonly createdBy: Actor;
}

/** Due jobs of every tenant; needs platform work, which may read jobs but not change them. */
export class DueJobRepository extends Repository {
  /** Jobs that are due at `now` and whose key has not ended, the longest due first, after the given one. */
  async list(now: Date, { after, limit }: { after: DueJob | undefined; limit: number }): Promise<DueJob[]> {
    return this.query<DueJob>(
      `SELECT j.id, j.next_attempt_at AS "dueAt", j.tenant_id AS "tenantId", h.tenant_active AS "isTenantActive",
         h.project_id AS "projectId", h.project_slug AS "projectSlug", h.environment_id AS "environmentId",
         h.environment_slug AS "environmentSlug", j.created_by AS "createdBy"
       FROM scheduled_jobs j JOIN environment_heads h ON h.environment_id = j.environment_id
       WHERE j.status = 'scheduled' AND j.next_attempt_at <= $1 AND (j.next_attempt_at, j.id) > ($2, $3)
         AND NOT ${orphanedSql('j', '$1')}
       ORDER BY j.next_attempt_at, j.id LIMIT $4`,
      [now, after?.dueAt ?? new Date(0), after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
    );
  }
}

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
