import { col, fn, where } from 'sequelize';
import { AppError } from '../../../contracts/errors.js';
import type { UserRow } from '../../persistence/models/access.js';
import type { Models } from '../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../persistence/work/unit-of-work.js';

export type { UserRow };

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

  /** Case-insensitive. One statement whether or not the user exists. */
  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.findWhere(where(fn('lower', col('email')), fn('lower', email)));
  }

  /**
   * A super-admin has no tenant.
   * @throws AppError 403 `tenant_inactive`
   */
  async assertTenantActive({ tenantId }: UserRow): Promise<void> {
    if (tenantId === null) return;
    const [row] = await this.query("SELECT 1 FROM tenants WHERE id = $1 AND status = 'active'", [tenantId]);
    if (row === undefined) throw new AppError('tenant_inactive');
  }

  recordLogin({ id, email }: UserRow, sessionId: string): void {
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
