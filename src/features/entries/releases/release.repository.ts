import type { AuditVerb } from '../../../../contracts/change-names.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Page } from '../../../../contracts/envelopes.js';
import type { ReleaseApproval, ReleaseStatus } from '../../../../contracts/entries/releases/release.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { inTextOrder } from '../../../infrastructure/text-order.js';
import { containing, Repository, type PageQuery } from '../../../persistence/repositories/repository.js';
import type { Snapshot, WorkActor } from '../../../persistence/work/unit-of-work.js';
import type { JobFailure } from '../../operations/jobs/index.js';

export interface StoredRelease {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: ReleaseStatus;
  readonly requiresApproval: ReleaseApproval | null;
  readonly jobId: string | null;
  readonly scheduledAt: Date | null;
  readonly timezone: string | null;
  readonly error: JobFailure | null;
  readonly publishedAt: Date | null;
  readonly publishedBy: WorkActor | null;
  readonly rolledBackAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: WorkActor;
  readonly updatedAt: Date;
  readonly updatedBy: WorkActor;
}

/** An approval; `at` is an ISO string, as it comes from JSON. */
interface StoredApproval {
  readonly userId: string;
  readonly by: WorkActor;
  readonly at: string;
  readonly comment: string | null;
  /** Whether items or drafts have changed since. */
  readonly lapsed: boolean;
}

export interface ReadRelease extends StoredRelease {
  readonly itemCount: number;
  /** Oldest first. */
  readonly approvals: readonly StoredApproval[];
}

interface ReleaseQuery extends PageQuery {
  readonly statuses: readonly ReleaseStatus[] | null;
}

const columns = `r.id, r.name, r.description, r.status, r.requires_approval AS "requiresApproval", r.job_id AS "jobId",
  r.scheduled_at AS "scheduledAt", r.timezone, r.error, r.published_at AS "publishedAt", r.published_by AS "publishedBy",
  r.rolled_back_at AS "rolledBackAt", r.created_at AS "createdAt", r.created_by AS "createdBy", r.updated_at AS "updatedAt",
  r.updated_by AS "updatedBy"`;

/** What approvals are of: the items of release `r`, and the drafts that are published as they are then. */
const seen = `(SELECT md5(coalesce(string_agg(concat_ws(' ', i.id, i.action, i.pinned_version, i.change, CASE WHEN i.action = 'publish'
      AND i.pinned_version IS NULL THEN concat(e.shared_hash, l.content_hash) END), chr(10) ORDER BY i.id), ''))
  FROM release_items i LEFT JOIN entries e ON i.kind = 'entry' AND e.environment_id = i.environment_id AND e.id = i.entry_id
    LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = i.locale
  WHERE i.environment_id = r.environment_id AND i.release_id = r.id)`;

/** Columns of {@link ReadRelease}. Only releases that need approvals compare what was seen. */
const readColumns = `${columns},
  (SELECT count(*)::int FROM release_items i WHERE i.environment_id = r.environment_id AND i.release_id = r.id) AS "itemCount",
  CASE WHEN r.requires_approval IS NULL THEN '[]'::jsonb ELSE (
    SELECT coalesce(jsonb_agg(jsonb_build_object('userId', a.user_id, 'by', a.by, 'at', a.at, 'comment', a.comment,
      'lapsed', a.seen <> now.seen) ORDER BY a.at, a.user_id), '[]'::jsonb)
    FROM release_approvals a CROSS JOIN (SELECT ${seen} AS seen) AS now
    WHERE a.environment_id = r.environment_id AND a.release_id = r.id) END AS approvals`;

const sortColumns: Readonly<Record<string, string>> = {
  createdAt: 'r.created_at',
  name: inTextOrder('r.name'),
};

const SAVED = `name = $3, description = $4, status = $5, job_id = $6, scheduled_at = $7, timezone = $8, error = $9, published_at = $10,
  published_by = $11, rolled_back_at = $12, updated_at = $13, updated_by = $14`;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Approvals and items have records of their own. */
function snapshotOf({ jobId: _job, ...release }: StoredRelease & Partial<ReadRelease>): Snapshot {
  const { approvals: _approvals, itemCount: _count, ...shown } = release;
  return shown;
}

/** Releases and their approvals. Writers hold the lock of the release. */
export class ReleaseRepository extends Repository {
  /** @throws AppError 404 `release_not_found` */
  find(id: string): Promise<ReadRelease> {
    return this.#one(id);
  }

  /** Before anything that it changes is locked. */
  async lock(id: string): Promise<ReadRelease> {
    if (isUuid(id))
      await this.query('SELECT FROM releases WHERE environment_id = $1 AND id = $2 FOR UPDATE', [
        this.environmentId,
        id,
      ]);
    // What was committed while this unit of work waited.
    return this.#one(id);
  }

  async list({ statuses, q, orderBy, page, limit }: ReleaseQuery): Promise<Page<ReadRelease>> {
    const bind: unknown[] = [this.environmentId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const conditions = ['r.environment_id = $1'];
    if (statuses !== null) conditions.push(`r.status = ANY(${value(statuses)}::text[])`);
    if (q !== undefined) conditions.push(`normalize(r.name) COLLATE "default" ILIKE ${value(containing(q))}`);
    const matching = `FROM releases r WHERE ${conditions.join(' AND ')}`;
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${matching}`, bind);
    const [key = '', direction] = orderBy.split(':');
    const way = direction === 'asc' ? 'ASC' : 'DESC';
    const items = await this.query<ReadRelease>(
      `SELECT ${readColumns} ${matching} ORDER BY ${sortColumns[key] ?? 'r.updated_at'} ${way}, r.id ${way}
       LIMIT ${value(limit)} OFFSET ${value((page - 1) * limit)}`,
      bind,
    );
    return { items, total: count?.total ?? 0 };
  }

  async count(): Promise<number> {
    const [row] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM releases WHERE environment_id = $1',
      [this.environmentId],
    );
    return row?.total ?? 0;
  }

  async insert(release: StoredRelease): Promise<void> {
    const { id, name, description, status, requiresApproval, createdAt, createdBy } = release;
    await this.query(
      `INSERT INTO releases (tenant_id, environment_id, id, name, description, status, requires_approval, created_at, created_by,
         updated_at, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $9)`,
      [
        this.tenantId,
        this.environmentId,
        id,
        name,
        description,
        status,
        json(requiresApproval),
        createdAt,
        JSON.stringify(createdBy),
      ],
    );
    this.note('create', { before: null, after: release });
  }

  /** @param verb of the audit record */
  async save(before: StoredRelease, after: StoredRelease, verb: AuditVerb): Promise<void> {
    await this.query(`UPDATE releases SET ${SAVED} WHERE environment_id = $1 AND id = $2`, [
      this.environmentId,
      before.id,
      after.name,
      after.description,
      after.status,
      after.jobId,
      after.scheduledAt,
      after.timezone,
      json(after.error),
      after.publishedAt,
      json(after.publishedBy),
      after.rolledBackAt,
      after.updatedAt,
      JSON.stringify(after.updatedBy),
    ]);
    this.note(verb, { before, after });
  }

  /** Without a record. */
  async touch({ id, updatedAt, updatedBy }: StoredRelease): Promise<void> {
    await this.query(
      'UPDATE releases SET updated_at = $3, updated_by = $4 WHERE environment_id = $1 AND id = $2',
      [this.environmentId, id, updatedAt, JSON.stringify(updatedBy)],
    );
  }

  async remove(release: StoredRelease): Promise<void> {
    await this.query('DELETE FROM releases WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      release.id,
    ]);
    this.note('delete', { before: release, after: null });
  }

  /** @param more of the record, such as the items that were added */
  note(
    verb: AuditVerb,
    { before, after }: { readonly before: StoredRelease | null; readonly after: StoredRelease | null },
    more: { readonly before?: Snapshot; readonly after?: Snapshot } = {},
  ): void {
    const { id = '', name = '' } = after ?? before ?? {};
    this.record({
      action: `release.${verb}`,
      target: { type: 'release', id, name },
      before: before && { ...snapshotOf(before), ...more.before },
      after: after && { ...snapshotOf(after), ...more.after },
    });
  }

  /** Replaces an earlier approval of the user. */
  async approve(id: string, comment: string | null): Promise<void> {
    const { actor } = this.bound.scope;
    await this.query(
      `INSERT INTO release_approvals (tenant_id, environment_id, release_id, user_id, by, at, comment, seen)
       SELECT $1, $2, r.id, $4, $5, $6, $7, ${seen} FROM releases r WHERE r.environment_id = $2 AND r.id = $3
       ON CONFLICT (environment_id, release_id, user_id) DO UPDATE SET by = excluded.by, at = excluded.at,
         comment = excluded.comment, seen = excluded.seen`,
      [this.tenantId, this.environmentId, id, actor.id, JSON.stringify(actor), this.bound.now, comment],
    );
  }

  /** Ids of who made the release, added items or last changed an unpinned draft. */
  async authorsOf(id: string): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ id: string | null }>(
      `SELECT created_by ->> 'id' AS id FROM releases WHERE environment_id = $1 AND id = $2
       UNION SELECT created_by ->> 'id' FROM release_items WHERE environment_id = $1 AND release_id = $2
       UNION SELECT e.updated_by ->> 'id' FROM release_items i JOIN entries e ON e.environment_id = $1 AND e.id = i.entry_id
         WHERE i.environment_id = $1 AND i.release_id = $2 AND i.action = 'publish' AND i.pinned_version IS NULL`,
      [this.environmentId, id],
    );
    return new Set(rows.flatMap((row) => row.id ?? []));
  }

  async #one(id: string): Promise<ReadRelease> {
    const [release] = !isUuid(id)
      ? []
      : await this.query<ReadRelease>(
          `SELECT ${readColumns} FROM releases r WHERE r.environment_id = $1 AND r.id = $2`,
          [this.environmentId, id],
        );
    if (release === undefined) throw new AppError('release_not_found');
    return release;
  }
}
