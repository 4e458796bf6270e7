import type { AuditAction } from '../../../../contracts/change-names.js';
import type { Page } from '../../../../contracts/envelopes.js';
import type { Grant } from '../../../access/grants.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { RoleRow } from './role.repository.js';

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
