import { AppError } from '../../../../contracts/errors.js';
import type { UserRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';

export type { UserRow };

export type LoginAccount = Pick<UserRow, 'id' | 'email' | 'name' | 'tenantId' | 'isSuperAdmin'> & {
  readonly passwordHash: string;
  /** Null for a super-admin. */
  readonly tenantSlug: string | null;
};

/** Users of all tenants. Needs a platform scope. */
export class UserRepository extends TableRepository<UserRow> {
  protected readonly table = {
    model: ({ users }: Models) => users,
    resource: 'user',
    notFound: () => new AppError('user_not_found'),
  } as const satisfies TableDefinition<UserRow>;

  findById(id: string): Promise<UserRow | undefined> {
    return this.findWhere({ id });
  }

  /** Case-insensitive. */
  async hasSuperAdmin(email: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM users WHERE lower(email) = lower($1) AND tenant_id IS NULL',
      [email],
    );
    return rows.length > 0;
  }

  /**
   * Accounts that can log in with this address, the oldest first; case-insensitive. One statement whether or not there
   * are any.
   * @param tenantSlug null for accounts of all tenants and of super-admins
   */
  loginAccounts(email: string, tenantSlug: string | null, limit: number): Promise<LoginAccount[]> {
    return this.query<LoginAccount>(
      `SELECT u.id, u.email, u.name, u.tenant_id AS "tenantId", u.is_super_admin AS "isSuperAdmin",
         u.password_hash AS "passwordHash", t.slug AS "tenantSlug"
       FROM users u LEFT JOIN tenants t ON t.id = u.tenant_id
       WHERE lower(u.email) = lower($1) AND u.status = 'active' AND u.password_hash IS NOT NULL
         AND ($2::text IS NULL OR t.slug = $2) ORDER BY u.is_super_admin DESC, u.created_at, u.id LIMIT $3`,
      [email, tenantSlug, limit],
    );
  }

  /**
   * A super-admin has no tenant.
   * @throws AppError 403 `tenant_inactive`
   */
  async assertTenantActive({ tenantId }: Pick<UserRow, 'tenantId'>): Promise<void> {
    if (tenantId === null) return;
    const [row] = await this.query("SELECT 1 FROM tenants WHERE id = $1 AND status = 'active'", [tenantId]);
    if (row === undefined) throw new AppError('tenant_inactive');
  }

  recordLogin({ id, email }: Pick<UserRow, 'id' | 'email'>, sessionId: string): void {
    this.record({
      action: 'session.create',
      target: { type: 'user', id, name: email },
      before: null,
      after: { sessionId },
    });
  }

  protected override get scope(): object {
    return {};
  }

  protected override target({ email }: UserRow) {
    return { name: email };
  }

  protected override snapshot({ passwordHash: _never, ...shown }: UserRow): Snapshot {
    return shown;
  }
}
