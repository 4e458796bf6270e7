import { systemRoles } from '../../../contracts/resources/role.js';
import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import { isUuid } from '../../infrastructure/ids.js';
import type { RoleRow } from '../../persistence/models/access.js';
import { Repository, type PageQuery } from '../../persistence/repositories/repository.js';

export type { RoleRow };

/** A role and how many users have it. */
export interface CountedRole extends RoleRow {
  readonly memberCount: number;
}

const nameOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1);

/** The only place that knows the table of roles. */
export class RoleRepository extends Repository {
  async list(query: PageQuery): Promise<Page<CountedRole>> {
    const { items, total } = await this.page(this.bound.models.roles, this.#scope, query);
    return { items: await this.#counted(items), total };
  }

  /** @throws AppError 404 `role_not_found` */
  async find(id: string): Promise<CountedRole> {
    const { models, transaction } = this.bound;
    const found = isUuid(id)
      ? await models.roles.findOne({ where: { ...this.#scope, id: id.toLowerCase() }, transaction })
      : null;
    const [role] = await this.#counted(found === null ? [] : [found.get()]);
    if (role === undefined) throw new AppError('role_not_found');
    return role;
  }

  /** Those of the roles that the project has. */
  async findAll(ids: readonly string[]): Promise<RoleRow[]> {
    const { models, transaction } = this.bound;
    const rows = await models.roles.findAll({ where: { ...this.#scope, id: [...ids] }, transaction });
    return rows.map((row) => row.get());
  }

  async count(): Promise<number> {
    const { models, transaction } = this.bound;
    return models.roles.count({ where: this.#scope, transaction });
  }

  /** @throws AppError 409 `slug_conflict` */
  async insert(role: RoleRow): Promise<void> {
    const { models, transaction } = this.bound;
    const slugTaken = { roles_slug_key: () => new AppError('slug_conflict', { slug: role.slug }) };
    await this.guarded(models.roles.create(role, { transaction }), slugTaken);
    this.note('role.create', null, role);
  }

  /** The roles that every project has; a part of making the project, so it notes nothing. */
  async insertSystemRoles(tenantId: string, projectId: string): Promise<RoleRow[]> {
    const { models, transaction, now } = this.bound;
    const rows = systemRoles.map((slug, position): RoleRow => {
      // Told apart by their times, they are listed in the order of what they permit.
      const at = new Date(now.getTime() + position);
      const id = this.bound.newId();
      const names = { slug, name: nameOf(slug), description: null };
      return { tenantId, projectId, id, ...names, isSystem: true, createdAt: at, updatedAt: at };
    });
    await models.roles.bulkCreate(rows, { transaction });
    return rows;
  }

  async save(before: RoleRow, after: RoleRow): Promise<void> {
    const { models, transaction } = this.bound;
    await models.roles.update(after, { where: { ...this.#scope, id: before.id }, transaction });
    this.note('role.update', before, after);
  }

  /** Removes a role with its grants. */
  async remove(role: RoleRow): Promise<void> {
    const { models, transaction } = this.bound;
    const inUse = { member_roles_role_fkey: () => new AppError('role_in_use') };
    await this.guarded(models.roles.destroy({ where: { ...this.#scope, id: role.id }, transaction }), inUse);
    this.note('role.delete', role, null);
  }

  /** Notes one change for the audit record. */
  note(action: string, before: RoleRow | null, after: RoleRow | null): void {
    const { id, name } = (after ?? before)!;
    this.record({
      action,
      target: { type: 'role', id, name },
      before: before && { ...before },
      after: after && { ...after },
    });
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

  get #scope() {
    return { tenantId: this.tenantId, projectId: this.projectId };
  }
}
