import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { UserRow } from '../../../persistence/models/access.js';
import type { GroupRole } from './sign-on.repository.js';

/** A user at an identity provider. */
interface IdentityLink {
  readonly tenantId: string;
  readonly issuer: string;
  readonly subject: string;
}

export type SignedOnUser = Pick<UserRow, 'id' | 'email' | 'name' | 'status' | 'isSuperAdmin'> & {
  readonly tenantId: string;
};

interface RoleChange {
  readonly projectId: string;
  readonly roleId: string;
  readonly change: 'add' | 'remove';
}

const columns = `u.id, u.tenant_id AS "tenantId", u.email, u.name, u.status, u.is_super_admin AS "isSuperAdmin"`;

/** Users who sign on at an identity provider. Needs a platform scope. */
export class IdentityRepository extends Repository {
  /** Two first sign-ons of one user wait for each other. */
  async holdIdentity({ tenantId, issuer, subject }: IdentityLink): Promise<void> {
    await this.holdKeys([`sign-on:${tenantId}:${issuer}:${subject}`]);
  }

  /** Locks the account. */
  async linkedUser({ tenantId, issuer, subject }: IdentityLink): Promise<SignedOnUser | undefined> {
    const [user] = await this.query<SignedOnUser>(
      `SELECT ${columns} FROM user_identities i JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
       WHERE i.tenant_id = $1 AND i.issuer = $2 AND i.subject = $3 FOR UPDATE OF u`,
      [tenantId, issuer, subject],
    );
    return user;
  }

  /** Locks the account. */
  async byAddress(tenantId: string, email: string): Promise<SignedOnUser | undefined> {
    const [user] = await this.query<SignedOnUser>(
      `SELECT ${columns} FROM users u WHERE u.tenant_id = $1 AND lower(u.email) = lower($2) FOR UPDATE`,
      [tenantId, email],
    );
    return user;
  }

  async link({ tenantId, issuer, subject }: IdentityLink, user: SignedOnUser): Promise<void> {
    await this.query(
      'INSERT INTO user_identities (tenant_id, issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4, $5)',
      [tenantId, issuer, subject, user.id, this.bound.now],
    );
    this.#note('user.link_identity', user, { before: null, after: { issuer, subject } });
  }

  noteCreated(user: SignedOnUser): void {
    const { email, name, status } = user;
    this.#note('user.create', user, { before: null, after: { email, name, status } });
  }

  /** The address follows the provider's, unless another account of the tenant has it. */
  async moveTo(user: SignedOnUser, email: string): Promise<SignedOnUser> {
    const moved = await this.query(
      `UPDATE users SET email = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
         SELECT FROM users o WHERE o.tenant_id = $1 AND lower(o.email) = lower($3) AND o.id <> $2) RETURNING 1`,
      [user.tenantId, user.id, email, this.bound.now],
    );
    if (moved.length === 0) return user;
    this.#note('user.update', user, { before: { email: user.email }, after: { email } });
    return { ...user, email };
  }

  /** Accepts an invitation. */
  async activate(user: SignedOnUser): Promise<SignedOnUser> {
    if (user.status !== 'invited') return user;
    await this.query(`UPDATE users SET status = 'active', updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
      user.tenantId,
      user.id,
      this.bound.now,
    ]);
    this.#note('user.update', user, { before: { status: 'invited' }, after: { status: 'active' } });
    return { ...user, status: 'active' };
  }

  /**
   * Of the managed roles, the user has the given ones afterwards; others stay, and so does the last owner of a project.
   * Deleted roles and projects give nothing.
   * @throws AppError 422 `limit_reached` for a project that is full
   */
  async setRoles(
    user: SignedOnUser,
    {
      tenantId,
      managed,
      given,
    }: { tenantId: string; managed: readonly GroupRole[]; given: readonly GroupRole[] },
  ): Promise<void> {
    if (managed.length === 0) return;
    const changes = await this.query<RoleChange>(
      `WITH managed AS (
         SELECT DISTINCT r.project_id, r.id AS role_id, r.id = ANY($4::uuid[]) AS is_given
         FROM roles r WHERE r.tenant_id = $1 AND r.id = ANY($3::uuid[])),
       held AS (SELECT project_id, role_id FROM member_roles WHERE tenant_id = $1 AND user_id = $2)
       SELECT m.project_id AS "projectId", m.role_id AS "roleId",
         CASE WHEN m.is_given THEN 'add' ELSE 'remove' END AS change
       FROM managed m LEFT JOIN held h ON h.project_id = m.project_id AND h.role_id = m.role_id
       WHERE m.is_given = (h.role_id IS NULL) ORDER BY m.project_id, m.role_id`,
      [tenantId, user.id, managed.map(({ roleId }) => roleId), given.map(({ roleId }) => roleId)],
    );
    if (changes.length === 0) return;
    // Members of one project are changed one after the other, so that an owner remains.
    await this.holdKeys(changes.map(({ projectId }) => `project:${projectId}`));
    await this.#add(user, changes);
    const removed = await this.#remove(user, changes);
    const added = changes.filter(({ change }) => change === 'add').map(({ roleId }) => roleId);
    if (added.length + removed.length === 0) return;
    this.#note('user.update', user, { before: { roleIds: removed }, after: { roleIds: added } });
  }

  async #add({ tenantId, id }: SignedOnUser, changes: readonly RoleChange[]): Promise<void> {
    const added = changes.filter(({ change }) => change === 'add');
    if (added.length === 0) return;
    const bind = [tenantId, id, added.map(({ projectId }) => projectId)];
    const [full] = await this.query(
      `SELECT 1 FROM unnest($3::uuid[]) AS p (id)
       WHERE NOT EXISTS (SELECT FROM members m WHERE m.tenant_id = $1 AND m.project_id = p.id AND m.user_id = $2)
         AND (SELECT count(*) FROM members m WHERE m.tenant_id = $1 AND m.project_id = p.id) >= $4`,
      [...bind, limits.membersPerProject],
    );
    if (full !== undefined) throw new AppError('limit_reached', { limit: limits.membersPerProject });
    await this.query(
      `INSERT INTO members (tenant_id, project_id, user_id, created_at, updated_at)
       SELECT DISTINCT $1::uuid, p, $2::uuid, $4::timestamptz, $4::timestamptz FROM unnest($3::uuid[]) AS p ON CONFLICT DO NOTHING`,
      [...bind, this.bound.now],
    );
    await this.query(
      `INSERT INTO member_roles (tenant_id, project_id, user_id, role_id)
       SELECT $1, a.project_id, $2, a.role_id FROM unnest($3::uuid[], $4::uuid[]) AS a (project_id, role_id) ON CONFLICT DO NOTHING`,
      [...bind, added.map(({ roleId }) => roleId)],
    );
  }

  /** Ids of the roles that were removed. */
  async #remove({ tenantId, id }: SignedOnUser, changes: readonly RoleChange[]): Promise<string[]> {
    const lost = changes.filter(({ change }) => change === 'remove').map(({ roleId }) => roleId);
    if (lost.length === 0) return [];
    const rows = await this.query<{ id: string }>(
      `DELETE FROM member_roles x USING roles r
       WHERE x.tenant_id = $1 AND x.user_id = $2 AND x.role_id = ANY($3::uuid[]) AND r.tenant_id = $1 AND r.id = x.role_id
         AND NOT (r.is_system AND r.slug = 'owner' AND NOT EXISTS (
           SELECT FROM member_roles o JOIN members m ON m.tenant_id = o.tenant_id AND m.project_id = o.project_id AND m.user_id = o.user_id
           WHERE o.tenant_id = $1 AND o.role_id = x.role_id AND o.user_id <> $2 AND NOT m.is_suspended))
       RETURNING x.role_id AS id`,
      [tenantId, id, lost],
    );
    return rows.map((row) => row.id);
  }

  #note(
    action: 'user.create' | 'user.update' | 'user.link_identity',
    { id, email, tenantId }: SignedOnUser,
    { before, after }: { readonly before: object | null; readonly after: object },
  ): void {
    const target = { type: 'user', id, name: email };
    // Along with the session, which is what the call names.
    this.record({
      action,
      target,
      before: before && { ...before },
      after: { ...after },
      tenantId,
      isAlong: true,
    });
  }
}
