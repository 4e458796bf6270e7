import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { AppError } from '../../../../contracts/errors.js';
import type { UserRow } from '../../../persistence/models/access.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** A role as the gate needs it. Permissions of system roles are in the code. */
interface KnownRole {
  readonly id: string;
  readonly slug: string;
  readonly isSystem: boolean;
  readonly grants: readonly { resource: string; action: string; scope: object }[];
}

interface KnownMember {
  readonly id: string;
  readonly tenantId: string | null;
  readonly name: string;
  readonly isSuperAdmin: boolean;
  readonly status: 'active' | 'invited' | 'suspended';
  /** The requested project, if the user is a member of it. */
  readonly projectId: string | null;
  readonly selectedEnvironmentId: string | null;
  /** Empty while the membership is suspended. */
  readonly roles: readonly KnownRole[];
}

const findMember = {
  name: 'find_member',
  text: `SELECT id, tenant_id AS "tenantId", name, is_super_admin AS "isSuperAdmin", status, project_id AS "projectId", roles,
      selected_environment(id, $2) AS "selectedEnvironmentId"
    FROM find_member($1, $2, $3)`,
};

/** Finds users and their grants in one project, before any tenant is known. */
export class MemberLookup {
  /** @param pool uses the service role */
  constructor(private readonly pool: ReadPool) {}

  /** Accepts an invitation on the first call, and records the last activity every five minutes. */
  async find(
    userId: string,
    { projectSlug, now }: { projectSlug: string; now: Date },
  ): Promise<KnownMember | undefined> {
    const [member] = await this.pool.run<KnownMember>(findMember, [userId, projectSlug, now]);
    return member;
  }
}

/** Accounts of a tenant, whatever brings them in. Needs the scope of the tenant, or a platform scope. */
export class AccountRepository extends Repository {
  /** @param taken if another account of the tenant has the address */
  async insert(user: UserRow, taken: AppError): Promise<void> {
    await this.mapViolations(this.bound.models.users.create(user, { transaction: this.bound.transaction }), {
      users_email_key: () => taken,
    });
  }

  /**
   * @param locks whether other accounts wait until this one is counted
   * @throws AppError 422 `limit_reached`
   */
  async assertRoom(tenantId: string, { locks = false } = {}): Promise<void> {
    const [row] = await this.query<{ accounts: number; limit: number | null }>(
      `SELECT (SELECT count(*)::int FROM users u WHERE u.tenant_id = t.id) AS accounts, (t.limits ->> 'users')::int AS "limit"
       FROM tenants t WHERE t.id = $1 ${locks ? 'FOR NO KEY UPDATE' : ''}`,
      [tenantId],
    );
    const { accounts = 0, limit = null } = row ?? {};
    if (limit !== null && accounts >= limit) throw new AppError('limit_reached', { limit });
  }
}

/** Owners of whole tenants, for platform operations in the scope of a tenant. */
export class TenantOwnerRepository extends Repository {
  /** Whether an active member with the role `owner` in each project of the tenant. */
  async ownsEveryProject(tenantId: string, userId: string): Promise<boolean> {
    const [row] = await this.query<{ owns: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM projects p WHERE p.tenant_id = $1 AND NOT EXISTS (
         SELECT FROM members m JOIN member_roles x ON x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = m.user_id
           JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
         WHERE m.tenant_id = $1 AND m.project_id = p.id AND m.user_id = $2 AND NOT m.is_suspended
           AND r.is_system AND r.slug = 'owner')) AS owns`,
      [tenantId, userId],
    );
    return row?.owns === true;
  }

  /** Adds the tenant's owners as owners of a project. */
  async enterProject(tenantId: string, projectId: string, ownerRoleId: string): Promise<void> {
    await this.query(
      `WITH joined AS (
         INSERT INTO members (tenant_id, project_id, user_id, created_at, updated_at)
         SELECT tenant_id, $2, id, $3, $3 FROM users WHERE tenant_id = $1 AND is_tenant_owner RETURNING user_id)
       INSERT INTO member_roles (tenant_id, project_id, user_id, role_id) SELECT $1, $2, user_id, $4 FROM joined`,
      [tenantId, projectId, this.bound.now, ownerRoleId],
    );
  }
}
