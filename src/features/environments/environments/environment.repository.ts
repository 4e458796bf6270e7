import { AppError } from '../../../../contracts/errors.js';
import type { EnvironmentRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { defaultWorkflow } from '../../../content/workflow/workflow-definition.js';
import type { WorkflowRow } from '../../../persistence/models/editorial.js';

export type { EnvironmentRow };

/** What is read for the response only. */
interface EnvironmentFacts {
  readonly id: string;
  readonly baseSlug: string | null;
  readonly entryCount: number;
  /** Steps of its job; null without one. */
  readonly done: number | null;
  readonly total: number | null;
}

const shown: EnvironmentRow['status'][] = ['creating', 'ready', 'promoting', 'failed'];

/** Environments of the project but those that are being deleted. */
export class EnvironmentRepository extends TableRepository<EnvironmentRow> {
  protected readonly table = {
    model: ({ environments }: Models) => environments,
    resource: 'environment',
    notFound: () => new AppError('environment_not_found'),
    key: 'slug',
    violations: {
      environments_slug_key: ({ slug }: EnvironmentRow) => new AppError('slug_conflict', { slug }),
    },
  } as const satisfies TableDefinition<EnvironmentRow>;

  async default(): Promise<EnvironmentRow> {
    const found = await this.findWhere({ ...this.scope, isDefault: true });
    if (found === undefined) throw this.table.notFound();
    return found;
  }

  countShown(): Promise<number> {
    return this.count({ status: shown });
  }

  /** Holds the number of environments until the unit of work ends. */
  async lockProject(): Promise<void> {
    await this.query('SELECT FROM projects WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      this.tenantId,
      this.projectId,
    ]);
  }

  async facts(ids: readonly string[]): Promise<Map<string, EnvironmentFacts>> {
    const rows = await this.query<EnvironmentFacts>(
      `SELECT e.id, b.slug AS "baseSlug", j.done, j.total, coalesce((SELECT sum(c.entries) FROM entry_counts c
           WHERE c.environment_id = e.id AND NOT c.is_deleted AND c.locale = ''), 0)::int AS "entryCount"
       FROM environments e
         LEFT JOIN environments b ON b.tenant_id = e.tenant_id AND b.id = e.base_environment_id AND b.status <> 'deleting'
         LEFT JOIN environment_jobs j ON j.tenant_id = e.tenant_id AND j.environment_id = e.id
       WHERE e.tenant_id = $1 AND e.id = ANY($2::uuid[])`,
      [this.tenantId, [...ids]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Slugs by id, of any environment that exists. */
  async slugs(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<{ id: string; slug: string }>(
      "SELECT id, slug FROM environments WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND status <> 'deleting'",
      [this.tenantId, [...ids]],
    );
    return new Map(rows.map(({ id, slug }) => [id, slug]));
  }

  /** Those of these slugs that calls can use. */
  async reachable(slugs: readonly string[]): Promise<{ id: string; slug: string }[]> {
    return this.query(
      `SELECT environment_id AS id, environment_slug AS slug FROM environment_heads
       WHERE tenant_id = $1 AND project_id = $2 AND environment_slug = ANY($3::text[])`,
      [this.tenantId, this.projectId, [...slugs]],
    );
  }

  async setStatus(id: string, status: EnvironmentRow['status']): Promise<void> {
    await this.query(
      'UPDATE environments SET status = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2',
      [this.tenantId, id, status, this.bound.now],
    );
  }

  /** Hides an environment and frees its slug. */
  async markDeleted(row: EnvironmentRow): Promise<void> {
    await this.query(
      "UPDATE environments SET status = 'deleting', slug = '~' || id, updated_at = $3 WHERE tenant_id = $1 AND id = $2",
      [this.tenantId, row.id, this.bound.now],
    );
    this.note('delete', row, null);
  }

  noteSelection(before: string, { id, name, slug }: EnvironmentRow): void {
    this.record({
      action: 'environment.select',
      target: { type: 'environment', id, name },
      before: { environmentId: before },
      after: { environmentId: id, slug },
    });
  }

  protected override get readable(): object {
    return { ...this.scope, status: shown };
  }

  protected override snapshot(row: EnvironmentRow): Snapshot {
    const { tenantId: _tenant, projectId: _project, ...kept } = row;
    return kept;
  }
}

/** Which environment users and keys use where a call names none. */
export class SelectionRepository extends Repository {
  async select(environmentId: string): Promise<void> {
    const { type, id } = this.bound.scope.actor;
    if (type === 'api_key')
      await this.query('UPDATE api_keys SET selected_environment_id = $3 WHERE tenant_id = $1 AND id = $2', [
        this.tenantId,
        id,
        environmentId,
      ]);
    else
      await this.query(
        `INSERT INTO environment_selections AS s (tenant_id, project_id, user_id, environment_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, project_id, user_id) DO UPDATE SET environment_id = excluded.environment_id`,
        [this.tenantId, this.projectId, id, environmentId],
      );
  }

  /** The environment that calls of the actor use; the default one without a choice. */
  async current(): Promise<string> {
    const { type, id } = this.bound.scope.actor;
    const chosen =
      type === 'api_key'
        ? 'SELECT coalesce(environment_id, selected_environment_id) FROM api_keys WHERE tenant_id = $1 AND id = $3'
        : 'SELECT environment_id FROM environment_selections WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3';
    const [head] = await this.query<{ id: string }>(
      `SELECT environment_id AS id FROM environment_heads
       WHERE tenant_id = $1 AND project_id = $2 AND (is_default OR environment_id = (${chosen}))
       ORDER BY is_default LIMIT 1`,
      [this.tenantId, this.projectId, id],
    );
    return head?.id ?? '';
  }

  async forget(environmentId: string): Promise<void> {
    const bind = [this.tenantId, environmentId];
    await this.query('DELETE FROM environment_selections WHERE tenant_id = $1 AND environment_id = $2', bind);
    await this.query(
      'UPDATE api_keys SET selected_environment_id = NULL WHERE tenant_id = $1 AND selected_environment_id = $2',
      bind,
    );
  }
}

/** Rows of a batch. */
const BATCH = 2000;
const BATCH_SECONDS = 60;

/** Deletes the rows of an environment that is no longer visible to callers. */
export class DeletionRepository extends Repository {
  /** @returns whether there may be more */
  async deleteBatch(): Promise<boolean> {
    await this.allowTime(BATCH_SECONDS);
    const [batch] = await this.query<{ deleted: number }>('SELECT empty_environment($1, $2) AS deleted', [
      this.environmentId,
      BATCH,
    ]);
    return batch?.deleted === BATCH;
  }

  /** Deletes the environment and what is left of it. */
  async forget(): Promise<void> {
    await this.allowTime(BATCH_SECONDS);
    await this.query("SELECT set_config('headwater.copying', 'on', true), forget_environment($1)", [
      this.environmentId,
    ]);
  }

  /** Cancels what waits for its time. */
  async cancelJobs(environmentId: string): Promise<void> {
    await this.query(
      `UPDATE scheduled_jobs SET status = 'canceled', completed_at = $2, updated_at = $2
       WHERE environment_id = $1 AND status = 'scheduled'`,
      [environmentId, this.bound.now],
    );
  }
}

/** The workflow that a new environment starts with. */
export class DefaultWorkflowRepository extends TableRepository<WorkflowRow> {
  protected readonly table = {
    model: ({ workflows }: Models) => workflows,
    resource: 'workflow',
    notFound: () => new AppError('workflow_not_found'),
    key: 'slug',
    violations: {},
  } as const satisfies TableDefinition<WorkflowRow>;

  /** Covered by the audit record of the project or environment. */
  async insertDefault(tenantId: string, environmentId: string): Promise<void> {
    const { now, newId } = this.bound;
    const { states, transitions, ...names } = defaultWorkflow;
    await this.create({
      tenantId,
      environmentId,
      id: newId(),
      ...names,
      isDefault: true,
      contentTypeIds: [],
      siteIds: [],
      enforcement: 'advisory',
      perLocale: false,
      states,
      transitions,
      roleIds: [],
      createdAt: now,
      updatedAt: now,
    });
  }
}
