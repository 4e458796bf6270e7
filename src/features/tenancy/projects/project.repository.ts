import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { ProjectRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import type { PageQuery } from '../../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';

export type { ProjectRow };

export class ProjectRepository extends TableRepository<ProjectRow> {
  protected readonly table = {
    model: ({ projects }: Models) => projects,
    resource: 'project',
    notFound: () => new AppError('project_not_found'),
    violations: { projects_slug_key: ({ slug }: ProjectRow) => new AppError('slug_conflict', { slug }) },
  } as const satisfies TableDefinition<ProjectRow>;

  /** Makes the tenant's rows visible to this unit of work, which needs a platform scope. */
  async enterTenant(slug: string): Promise<string> {
    const [tenant] = await this.query<{ id: string }>('SELECT id FROM tenants WHERE slug = $1', [slug]);
    if (tenant === undefined) throw new AppError('tenant_not_found');
    await this.query("SELECT set_config('headwater.tenant_id', $1, true)", [tenant.id]);
    return tenant.id;
  }

  listByTenant(tenantId: string, query: PageQuery): Promise<Page<ProjectRow>> {
    return this.pageWhere({ tenantId }, query);
  }

  /** @throws AppError 422 `limit_reached` */
  async assertProjectLimit(tenantId: string): Promise<void> {
    const [room] = await this.query<{ limit: number | null; projects: number }>(
      `SELECT (limits ->> 'projects')::int AS "limit", (SELECT count(*)::int FROM projects WHERE tenant_id = $1) AS projects
       FROM tenants WHERE id = $1 FOR UPDATE`,
      [tenantId],
    );
    if (room !== undefined && room.limit !== null && room.projects >= room.limit)
      throw new AppError('limit_reached', { limit: room.limit });
  }

  /**
   * The caller audits the creation with {@link note} once the project is complete.
   * @throws AppError 409 `slug_conflict`: slugs are unique across the service
   */
  async insertWithEnvironment(project: ProjectRow, environmentId: string): Promise<void> {
    await this.create(project);
    const { tenantId, id: projectId, createdAt, updatedAt } = project;
    const environment = {
      tenantId,
      projectId,
      id: environmentId,
      slug: 'main',
      name: 'Main',
      description: null,
      isDefault: true,
      isProtected: false,
      status: 'ready' as const,
      baseEnvironmentId: null,
      createdBy: this.bound.scope.actor,
    };
    await this.bound.models.environments.create({ ...environment, createdAt, updatedAt }, this.options);
  }

  protected override target({ name, tenantId }: ProjectRow) {
    return { name, tenantId };
  }
}
