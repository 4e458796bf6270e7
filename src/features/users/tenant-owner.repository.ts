import { AppError } from '../../../contracts/errors.js';
import type { UserRow } from '../../persistence/models/access.js';
import { Repository } from '../../persistence/repositories/repository.js';

/** Owners of whole tenants, for platform operations in the scope of a tenant. */
export class TenantOwnerRepository extends Repository {
  /** @throws AppError 409 `email_conflict`: an address has one account in a tenant */
  async insert(user: UserRow): Promise<void> {
    const taken = { users_email_key: () => new AppError('email_conflict', { path: ['ownerEmail'] }) };
    await this.mapViolations(
      this.bound.models.users.create(user, { transaction: this.bound.transaction }),
      taken,
    );
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
