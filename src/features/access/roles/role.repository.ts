import { systemRoles } from '../../../../contracts/access/roles/role.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { AuditAction } from '../../../../contracts/change-names.js';
import type { RoleRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { Repository, type PageQuery } from '../../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Grant } from '../../../access/grants.js';

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

export interface StoredGrant extends Grant {
  readonly id: string;
  readonly createdAt: Date;
}

const columns = 'id, resource, action, scope, created_at AS "createdAt"';

export class GrantRepository extends Repository {
  async list(
    roleId: string,
    page: { readonly isAscending: boolean; readonly limit: number; readonly offset: number },
  ): Promise<Page<StoredGrant>> {
    const direction = page.isAscending ? 'ASC' : 'DESC';
    const bind = [this.tenantId, roleId];
    const items = await this.query<StoredGrant>(
      `SELECT ${columns} FROM role_grants WHERE tenant_id = $1 AND role_id = $2
       ORDER BY created_at ${direction}, id ${direction} LIMIT $3 OFFSET $4`,
      [...bind, page.limit, page.offset],
    );
    return { items, total: await this.count(roleId) };
  }

  ofRoles(roleIds: readonly string[]): Promise<StoredGrant[]> {
    return this.query(
      `SELECT ${columns} FROM role_grants WHERE tenant_id = $1 AND role_id = ANY($2::uuid[])`,
      [this.tenantId, [...roleIds]],
    );
  }

  async count(roleId: string): Promise<number> {
    const [row] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM role_grants WHERE tenant_id = $1 AND role_id = $2',
      [this.tenantId, roleId],
    );
    return row?.total ?? 0;
  }

  /** An equal grant of the role. */
  async findSame(roleId: string, { resource, action, scope }: Grant): Promise<StoredGrant | undefined> {
    const [same] = await this.query<StoredGrant>(
      `SELECT ${columns} FROM role_grants
       WHERE tenant_id = $1 AND role_id = $2 AND resource = $3 AND action = $4 AND scope = $5::jsonb`,
      [this.tenantId, roleId, resource, action, JSON.stringify(scope)],
    );
    return same;
  }

  async find(roleId: string, id: string): Promise<StoredGrant | undefined> {
    const [found] = await this.query<StoredGrant>(
      `SELECT ${columns} FROM role_grants WHERE tenant_id = $1 AND role_id = $2 AND id = $3`,
      [this.tenantId, roleId, id],
    );
    return found;
  }

  async insert(role: RoleRow, grant: StoredGrant): Promise<void> {
    await this.query(
      `INSERT INTO role_grants (tenant_id, role_id, id, resource, action, scope, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        this.tenantId,
        role.id,
        grant.id,
        grant.resource,
        grant.action,
        JSON.stringify(grant.scope),
        grant.createdAt,
      ],
    );
    this.#note('role.grant', role, { before: null, after: { grant } });
  }

  async remove(role: RoleRow, grant: StoredGrant): Promise<void> {
    await this.query('DELETE FROM role_grants WHERE tenant_id = $1 AND role_id = $2 AND id = $3', [
      this.tenantId,
      role.id,
      grant.id,
    ]);
    this.#note('role.ungrant', role, { before: { grant }, after: null });
  }

  /** Filters the slugs to environments of the project. */
  async environmentSlugs(slugs: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ slug: string }>(
      'SELECT slug FROM environments WHERE tenant_id = $1 AND project_id = $2 AND slug = ANY($3::text[])',
      [this.tenantId, this.projectId, [...slugs]],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  #note(
    action: AuditAction,
    { id, name }: RoleRow,
    change: { before: object | null; after: object | null },
  ): void {
    const [before, after] = [change.before && { ...change.before }, change.after && { ...change.after }];
    this.record({ action, target: { type: 'role', id, name }, before, after });
  }
}
