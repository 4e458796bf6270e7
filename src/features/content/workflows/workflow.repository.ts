import { AppError } from '../../../../contracts/errors.js';
import type { WorkflowRow } from '../../../persistence/models/editorial.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export type { WorkflowRow };

/** Writers hold the project lock. */
export class WorkflowRepository extends TableRepository<WorkflowRow> {
  protected readonly table = {
    model: ({ workflows }: Models) => workflows,
    resource: 'workflow',
    notFound: () => new AppError('workflow_not_found'),
    key: 'slug',
    violations: {
      workflows_slug_key: ({ slug }: WorkflowRow) => new AppError('slug_conflict', { slug }),
    },
  } as const satisfies TableDefinition<WorkflowRow>;

  all(): Promise<WorkflowRow[]> {
    return this.listWhere(this.scope);
  }

  protected override get scope(): object {
    return { tenantId: this.tenantId, environmentId: this.environmentId };
  }

  protected override snapshot(row: WorkflowRow): Snapshot {
    const {
      tenantId: _tenant,
      environmentId: _environment,
      baseState: _base,
      roleIds: _roles,
      ...shown
    } = row;
    return shown;
  }
}

/** Locales of the entries of a type and site that are in one state. */
interface StateGroup {
  readonly contentTypeId: string;
  readonly siteId: string;
  /** As stored; null is the base state. */
  readonly state: string | null;
  readonly isDeleted: boolean;
}

export interface CountedGroup extends StateGroup {
  readonly count: number;
}

export interface MovedGroup extends StateGroup {
  readonly to: string | null;
}

interface UnifiedPlace {
  readonly contentTypeId: string;
  readonly siteId: string;
  /** For entries whose locales differ. */
  readonly to: string | null;
}

export interface ApprovalPlace {
  readonly contentTypeId: string;
  readonly siteId: string;
  /** Transitions whose approvals still count. */
  readonly kept: readonly { readonly from: string; readonly to: string }[];
}

/** States of all entries of an environment, for changes of its workflows. */
export class EntryStatesRepository extends Repository {
  groups(): Promise<CountedGroup[]> {
    return this.query<CountedGroup>(
      `SELECT content_type_id AS "contentTypeId", site_id AS "siteId", nullif(workflow_state, '') AS state,
         is_deleted AS "isDeleted", sum(entries)::int AS count
       FROM entry_counts WHERE environment_id = $1 AND locale <> ''
       GROUP BY content_type_id, site_id, workflow_state, is_deleted HAVING sum(entries) > 0`,
      [this.environmentId],
    );
  }

  /** One statement. */
  async move(groups: readonly MovedGroup[]): Promise<void> {
    if (groups.length === 0) return;
    await this.allowTime(120);
    await this.query(
      `UPDATE entry_locales l SET workflow_state = g.target
       FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::text[]) AS g (type_id, site_id, state, is_deleted, target)
       WHERE l.environment_id = $1 AND l.content_type_id = g.type_id AND l.site_id = g.site_id
         AND l.is_deleted = g.is_deleted AND l.workflow_state IS NOT DISTINCT FROM g.state`,
      [
        this.environmentId,
        groups.map(({ contentTypeId }) => contentTypeId),
        groups.map(({ siteId }) => siteId),
        groups.map(({ state }) => state),
        groups.map(({ isDeleted }) => isDeleted),
        groups.map(({ to }) => to),
      ],
    );
  }

  /** Entries whose locales differ return to one state, and to one assignee. */
  async unify(places: readonly UnifiedPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.allowTime(120);
    await this.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS g (type_id, site_id, target)),
       differing AS (
         SELECT l.entry_id, g.target, count(DISTINCT coalesce(l.workflow_state, '')) > 1 AS by_state,
           count(DISTINCT (l.assignee_id, l.due_at)) > 1 AS by_assignee
         FROM given g JOIN entry_locales l ON l.environment_id = $1 AND l.content_type_id = g.type_id AND l.site_id = g.site_id
         GROUP BY l.entry_id, g.target)
       UPDATE entry_locales l SET
         workflow_state = CASE WHEN d.by_state THEN d.target ELSE l.workflow_state END,
         assignee_id = CASE WHEN d.by_assignee THEN NULL ELSE l.assignee_id END,
         due_at = CASE WHEN d.by_assignee THEN NULL ELSE l.due_at END
       FROM differing d WHERE l.environment_id = $1 AND l.entry_id = d.entry_id AND (d.by_state OR d.by_assignee)`,
      [
        this.environmentId,
        places.map(({ contentTypeId }) => contentTypeId),
        places.map(({ siteId }) => siteId),
        places.map(({ to }) => to),
      ],
    );
  }

  /** Deletes the approvals of entries at these places, except those of the kept transitions. */
  async dropApprovals(places: readonly ApprovalPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.query(
      `WITH changed AS (SELECT * FROM jsonb_to_recordset($2::jsonb)
         AS c ("contentTypeId" uuid, "siteId" uuid, kept jsonb))
       DELETE FROM workflow_approvals a USING entries e, changed c
       WHERE a.environment_id = $1 AND e.environment_id = $1 AND e.id = a.entry_id
         AND e.content_type_id = c."contentTypeId" AND e.site_id = c."siteId"
         AND NOT c.kept @> jsonb_build_array(jsonb_build_object('from', a.from_state, 'to', a.to_state))`,
      [this.environmentId, JSON.stringify(places)],
    );
  }
}
