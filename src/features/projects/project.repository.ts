import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { ProjectRow } from '../../persistence/models/access.js';
import { Repository, type PageQuery } from '../../persistence/repositories/repository.js';

export type { ProjectRow };

/** Projects and the environment that each begins with. */
export class ProjectRepository extends Repository {
  /** Finds the tenant by slug and enters it: its rows come into sight of this platform work. */
  async enterTenant(slug: string): Promise<string> {
    const [tenant] = await this.query<{ id: string }>('SELECT id FROM tenants WHERE slug = $1', [slug]);
    if (tenant === undefined) throw new AppError('tenant_not_found');
    await this.query("SELECT set_config('headwater.tenant_id', $1, true)", [tenant.id]);
    return tenant.id;
  }

  list(tenantId: string, query: PageQuery): Promise<Page<ProjectRow>> {
    return this.page(this.bound.models.projects, { tenantId }, query);
  }

  /** @throws AppError 422 `limit_reached` where the tenant has as many projects as its limits allow */
  async assertRoom(tenantId: string): Promise<void> {
    const [room] = await this.query<{ limit: number | null; projects: number }>(
      `SELECT (limits ->> 'projects')::int AS "limit", (SELECT count(*)::int FROM projects WHERE tenant_id = $1) AS projects
       FROM tenants WHERE id = $1 FOR UPDATE`,
      [tenantId],
    );
    if (room !== undefined && room.limit !== null && room.projects >= room.limit)
      throw new AppError('limit_reached', { limit: room.limit });
  }

  /** @throws AppError 409 `slug_conflict`: a project's slug is unique across the service */
  async insert(project: ProjectRow, environmentId: string): Promise<void> {
    const { models, transaction } = this.bound;
    const slugTaken = { projects_slug_key: () => new AppError('slug_conflict', { slug: project.slug }) };
    await this.guarded(models.projects.create(project, { transaction }), slugTaken);
    const { tenantId, id: projectId, createdAt, updatedAt } = project;
    const environment = {
      tenantId,
      projectId,
      id: environmentId,
      slug: 'main',
      name: 'Main',
      isDefault: true,
      isProtected: false,
    };
    await models.environments.create({ ...environment, createdAt, updatedAt }, { transaction });
  }

  /** Notes the creation for the audit record. */
  noteCreated(project: ProjectRow): void {
    this.record({
      action: 'project.create',
      target: { type: 'project', id: project.id, name: project.name },
      before: null,
      after: { ...project },
      tenantId: project.tenantId,
    });
  }
}
