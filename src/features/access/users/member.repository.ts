import type { AuditAction } from '../../../../contracts/change-names.js';
import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { UserRow } from '../../../persistence/models/access.js';
import { containing, Repository } from '../../../persistence/repositories/repository.js';

export type { UserRow };

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly status: UserRow['status'];
  readonly isSuspended: boolean;
  readonly lastActiveAt: Date | null;
  /** Start of the membership. */
  readonly createdAt: Date;
  readonly roles: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly isSystem: boolean;
  }[];
  readonly hasPassword: boolean;
  readonly invitation: {
    readonly expiresAt: string;
    readonly mail: 'pending' | 'sent' | 'failed' | null;
  } | null;
  readonly secondFactor: boolean;
  /** Number of projects that the user is a member of. */
  readonly projectCount: number;
}

export interface MemberQuery {
  readonly roleId: string | null;
  readonly contains: string | null;
  readonly orderBy: 'createdAt:asc' | 'createdAt:desc' | 'name:asc' | 'name:desc';
  readonly limit: number;
  readonly offset: number;
}

const from = `FROM members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
  WHERE m.tenant_id = $1 AND m.project_id = $2`;
const columns = `u.id, u.email, u.name, u.avatar_url AS "avatarUrl", u.status, m.is_suspended AS "isSuspended",
  u.last_active_at AS "lastActiveAt", m.created_at AS "createdAt", u.password_hash IS NOT NULL AS "hasPassword",
  has_second_factor(u.id) AS "secondFactor",
  (SELECT count(*)::int FROM members o WHERE o.tenant_id = m.tenant_id AND o.user_id = m.user_id) AS "projectCount",
  (SELECT jsonb_build_object('expiresAt', l.expires_at, 'mail',
      (SELECT s.status FROM mails s WHERE s.tenant_id = l.tenant_id AND s.user_id = l.user_id AND s.created_at = l.created_at
         AND s.kind = 'invitation' LIMIT 1))
   FROM password_resets l WHERE l.user_id = m.user_id AND l.project_id = m.project_id AND l.end_reason IS NULL) AS invitation,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'slug', r.slug, 'name', r.name, 'isSystem', r.is_system)
      ORDER BY r.created_at, r.id), '[]')
   FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
   WHERE x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = m.user_id) AS roles`;

const snapshotOf = ({ hasPassword: _password, projectCount: _count, invitation: _link, ...member }: Member) =>
  member;

/** Members and their roles. Writers hold the project lock. */
export class MemberRepository extends Repository {
  async list({ roleId, contains, orderBy, limit, offset }: MemberQuery): Promise<Page<Member>> {
    const bind: unknown[] = [this.tenantId, this.projectId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    let where = from;
    if (roleId !== null)
      where += ` AND EXISTS (SELECT FROM member_roles x WHERE x.tenant_id = m.tenant_id AND x.project_id = m.project_id
        AND x.user_id = m.user_id AND x.role_id = ${value(roleId)})`;
    if (contains !== null) {
      const pattern = value(containing(contains));
      where += ` AND (normalize(u.name) ILIKE ${pattern} OR u.email ILIKE ${pattern})`;
    }
    const [key, direction] = orderBy.split(':');
    const order = `ORDER BY ${key === 'name' ? inTextOrder('u.name') : 'm.created_at'} ${direction === 'asc' ? 'ASC' : 'DESC'}, u.id ${direction === 'asc' ? 'ASC' : 'DESC'}`;
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${where}`, bind);
    const items = await this.query<Member>(
      `SELECT ${columns} ${where} ${order} LIMIT ${value(limit)} OFFSET ${value(offset)}`,
      bind,
    );
    return { items, total: count?.total ?? 0 };
  }

  /** @throws AppError 404 `user_not_found` */
  async find(id: string): Promise<Member> {
    const [member] = isUuid(id)
      ? await this.query<Member>(`SELECT ${columns} ${from} AND m.user_id = $3`, [
          this.tenantId,
          this.projectId,
          id,
        ])
      : [];
    if (member === undefined) throw new AppError('user_not_found');
    return member;
  }

  /** Whether the user is a member who is not suspended. */
  async isActive(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const rows = await this.query(
      'SELECT 1 FROM members WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3 AND NOT is_suspended',
      [this.tenantId, this.projectId, id],
    );
    return rows.length > 0;
  }

  async count(): Promise<number> {
    const [row] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, [
      this.tenantId,
      this.projectId,
    ]);
    return row?.total ?? 0;
  }

  async accountOf(email: string): Promise<{ id: string; isMember: boolean } | undefined> {
    const [account] = await this.query<{ id: string; isMember: boolean }>(
      `SELECT u.id, EXISTS (SELECT FROM members m WHERE m.tenant_id = u.tenant_id AND m.project_id = $2 AND m.user_id = u.id) AS "isMember"
       FROM users u WHERE u.tenant_id = $1 AND lower(u.email) = lower($3)`,
      [this.tenantId, this.projectId, email],
    );
    return account;
  }

  async saveAccount(id: string, change: Partial<UserRow>): Promise<void> {
    const { models, transaction, now } = this.bound;
    await models.users.update(
      { ...change, updatedAt: now },
      { where: { id, tenantId: this.tenantId }, transaction },
    );
  }

  async add(userId: string, roleIds: readonly string[]): Promise<void> {
    await this.query(
      `INSERT INTO members (tenant_id, project_id, user_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
      [this.tenantId, this.projectId, userId, this.bound.now],
    );
    await this.#addRoles(userId, roleIds);
  }

  async suspend(userId: string, isSuspended: boolean): Promise<void> {
    await this.query(
      'UPDATE members SET is_suspended = $4, updated_at = $5 WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3',
      [this.tenantId, this.projectId, userId, isSuspended, this.bound.now],
    );
  }

  async setRoles(userId: string, roleIds: readonly string[]): Promise<void> {
    await this.query('DELETE FROM member_roles WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3', [
      this.tenantId,
      this.projectId,
      userId,
    ]);
    await this.#addRoles(userId, roleIds);
  }

  /** Ends the membership and the assignments. */
  async remove(userId: string): Promise<void> {
    await this.query(
      `UPDATE translations SET assignee_id = NULL WHERE assignee_id = $3 AND environment_id IN (
         SELECT id FROM environments WHERE tenant_id = $1 AND project_id = $2)`,
      [this.tenantId, this.projectId, userId],
    );
    await this.query('DELETE FROM members WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3', [
      this.tenantId,
      this.projectId,
      userId,
    ]);
  }

  /** Whether another active member has the role `owner`. */
  async hasOtherOwner(userId: string): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 ${from} AND m.user_id <> $3 AND NOT m.is_suspended AND EXISTS (
         SELECT FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
         WHERE x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = m.user_id AND r.is_system AND r.slug = 'owner')
       LIMIT 1`,
      [this.tenantId, this.projectId, userId],
    );
    return rows.length > 0;
  }

  /** Whether a user is an owner, or an admin where the account is no owner, of each project of the account. */
  async leadsEveryProjectOf(userId: string, accountId: string): Promise<boolean> {
    const [row] = await this.query<{ leads: boolean }>(
      `WITH system_roles AS (
         SELECT x.project_id, x.user_id, r.slug FROM member_roles x
         JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
         JOIN members m ON m.tenant_id = x.tenant_id AND m.project_id = x.project_id AND m.user_id = x.user_id
         WHERE x.tenant_id = $1 AND x.user_id IN ($2, $3) AND r.is_system AND r.slug IN ('owner', 'admin')
           AND (x.user_id = $3 OR NOT m.is_suspended))
       SELECT NOT EXISTS (
         SELECT FROM members a JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
         WHERE a.tenant_id = $1 AND a.user_id = $3 AND NOT EXISTS (
           SELECT FROM system_roles mine WHERE mine.project_id = a.project_id AND mine.user_id = $2
             AND (mine.slug = 'owner' OR NOT (u.is_tenant_owner OR EXISTS (
               SELECT FROM system_roles theirs
               WHERE theirs.project_id = a.project_id AND theirs.user_id = $3 AND theirs.slug = 'owner'))))) AS leads`,
      [this.tenantId, userId, accountId],
    );
    return row?.leads === true;
  }

  note(action: AuditAction, before: Member | null, after: Member | null): void {
    const { id, email } = (after ?? before)!;
    this.record({
      action,
      target: { type: 'user', id, name: email },
      before: before && snapshotOf(before),
      after: after && snapshotOf(after),
    });
  }

  async projectName(): Promise<string> {
    const [row] = await this.query<{ name: string }>(
      'SELECT name FROM projects WHERE tenant_id = $1 AND id = $2',
      [this.tenantId, this.projectId],
    );
    return row?.name ?? '';
  }

  async tenantName(): Promise<string> {
    const [row] = await this.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [
      this.tenantId,
    ]);
    return row?.name ?? '';
  }

  noteInvitation(
    action: 'user.invite' | 'user.invitation_revoke',
    { id, email, invitation }: Member,
    after: { readonly expiresAt: string; readonly isMailed: boolean } | null,
  ): void {
    const before = invitation && { expiresAt: invitation.expiresAt };
    this.record({ action, target: { type: 'user', id, name: email }, before, after });
  }

  noteReset({ id, email }: Member, expiresAt: Date): void {
    this.record({
      action: 'user.password_reset_request',
      target: { type: 'user', id, name: email },
      before: null,
      after: { expiresAt: expiresAt.toISOString() },
    });
  }

  async #addRoles(userId: string, roleIds: readonly string[]): Promise<void> {
    if (roleIds.length === 0) return;
    await this.query(
      'INSERT INTO member_roles (tenant_id, project_id, user_id, role_id) SELECT $1, $2, $3, unnest($4::uuid[])',
      [this.tenantId, this.projectId, userId, [...roleIds]],
    );
  }
}
