import { systemRoles } from '../../../../contracts/access/roles/role.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { RoleRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import type { PageQuery } from '../../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';

export type { RoleRow };

export interface CountedRole extends RoleRow {
  readonly memberCount: number;
}

const nameOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1);

export class RoleRepository extends TableRepository<RoleRow> {
  protected readonly table = {
    model: ({ roles }: Models) => roles,
    resource: 'role',
    notFound: () => new AppError('role_not_found'),
    violations: {
      roles_slug_key: ({ slug }: RoleRow) => new AppError('slug_conflict', { slug }),
      member_roles_role_fkey: () => new AppError('role_in_use'),
    },
  } as const satisfies TableDefinition<RoleRow>;

  override async list(query: PageQuery): Promise<Page<CountedRole>> {
    const { items, total } = await super.list(query);
    return { items: await this.#counted(items), total };
  }

  override async find(id: string): Promise<CountedRole> {
    const role = await super.find(id);
    const [counted] = await this.#counted([role]);
    return counted ?? { ...role, memberCount: 0 };
  }

  /** Ignores unknown ids. */
  findAll(ids: readonly string[]): Promise<RoleRow[]> {
    return this.listWhere({ ...this.scope, id: [...ids] });
  }

  /** Covered by the audit record of the project. */
  async insertSystemRoles(tenantId: string, projectId: string): Promise<RoleRow[]> {
    const { models, transaction, now } = this.bound;
    const rows = systemRoles.map((slug, position): RoleRow => {
      // Distinct times list the roles in the order of their permissions.
      const at = new Date(now.getTime() + position);
      const id = this.bound.newId();
      const names = { slug, name: nameOf(slug), description: null };
      return { tenantId, projectId, id, ...names, isSystem: true, createdAt: at, updatedAt: at };
    });
    await models.roles.bulkCreate(rows, { transaction });
    return rows;
  }

  /** Slugs of the workflows of the project that name a role. */
  async workflowsNaming(roleId: string): Promise<string[]> {
    const rows = await this.query<{ slug: string }>(
      `SELECT w.slug FROM workflows w JOIN environments e ON e.tenant_id = w.tenant_id AND e.id = w.environment_id
       WHERE w.tenant_id = $1 AND e.project_id = $2 AND $3 = ANY (w.role_ids)
       GROUP BY w.slug ORDER BY w.slug COLLATE "C"`,
      [this.tenantId, this.projectId, roleId],
    );
    return rows.map(({ slug }) => slug);
  }

  async #counted(roles: readonly RoleRow[]): Promise<CountedRole[]> {
    if (roles.length === 0) return [];
    const counts = await this.query<{ id: string; count: number }>(
      `SELECT role_id AS id, count(*)::int AS count FROM member_roles
       WHERE tenant_id = $1 AND role_id = ANY($2::uuid[]) GROUP BY 1`,
      [this.tenantId, roles.map(({ id }) => id)],
    );
    const byRole = new Map(counts.map(({ id, count }) => [id, count]));
    return roles.map((role) => ({ ...role, memberCount: byRole.get(role.id) ?? 0 }));
  }
}
