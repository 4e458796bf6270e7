import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { EnterableProject, Me } from '../../../../contracts/access/me/caller.js';
import { containing, Repository } from '../../../persistence/repositories/repository.js';

export interface ProjectQuery {
  readonly orderBy: 'name:asc' | 'name:desc' | 'slug:asc' | 'slug:desc';
  readonly contains: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** Members with a role, unless suspended. System roles reach every environment. */
const reached = `EXISTS (SELECT FROM members m JOIN member_roles x ON x.tenant_id = m.tenant_id AND x.project_id = m.project_id
      AND x.user_id = m.user_id WHERE m.tenant_id = p.tenant_id AND m.project_id = p.id AND m.user_id = u.id AND NOT m.is_suspended)`;
const reachedEnvironment = `EXISTS (SELECT FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
      LEFT JOIN role_grants g ON g.tenant_id = r.tenant_id AND g.role_id = r.id
    WHERE x.tenant_id = p.tenant_id AND x.project_id = p.id AND x.user_id = u.id
      AND (r.is_system OR (g.id IS NOT NULL AND coalesce(g.scope -> 'environments' ? e.environment_slug, true))))`;

const from = `FROM users u JOIN projects p ON u.is_super_admin OR p.tenant_id = u.tenant_id
    JOIN tenants t ON t.id = p.tenant_id AND t.status = 'active'
  WHERE u.id = $1 AND (u.is_super_admin OR ${reached})
    AND ($2::text IS NULL OR normalize(p.name) ILIKE $2 OR p.slug ILIKE $2)`;
const columns = `p.id, p.slug, p.name, t.slug AS "tenantSlug",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', e.environment_slug, 'isDefault', e.is_default,
      'isProtected', e.is_protected) ORDER BY e.is_default DESC, e.environment_slug COLLATE "C"), '[]')
   FROM environment_heads e WHERE e.project_id = p.id AND (u.is_super_admin OR ${reachedEnvironment})) AS environments`;

/** The calling user, in a platform scope: every statement names the user. */
export class MeRepository extends Repository {
  /** @throws AppError 401 `invalid_session` for a user who is gone */
  async user(): Promise<Me> {
    const [user] = await this.query<Me>(
      `SELECT u.id, u.email, u.name, u.is_super_admin AS "isSuperAdmin", u.language,
         u.time_zone AS "timeZone", u.theme,
         u.password_hash IS NOT NULL AS "hasPassword",
         coalesce(t.require_second_factor, false) AND NOT has_second_factor(u.id) AS "needsSecondFactor",
         CASE WHEN t.id IS NOT NULL THEN jsonb_build_object('id', t.id, 'slug', t.slug, 'name', t.name) END AS tenant
       FROM users u LEFT JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1`,
      [this.bound.scope.actor.id],
    );
    if (user === undefined) throw new AppError('invalid_session');
    return user;
  }

  /** Null removes it. The record has its size only. */
  async saveAvatar(image: Buffer | null): Promise<void> {
    const id = this.bound.scope.actor.id ?? '';
    const [user] = await this.query<{ email: string; tenantId: string | null; bytes: number | null }>(
      `SELECT u.email, u.tenant_id AS "tenantId", octet_length(a.image) AS bytes
       FROM users u LEFT JOIN avatars a ON a.user_id = u.id WHERE u.id = $1 FOR UPDATE OF u`,
      [id],
    );
    if (user === undefined) throw new AppError('invalid_session');
    if (image === null && user.bytes === null) return;
    if (image === null) await this.query('DELETE FROM avatars WHERE user_id = $1', [id]);
    else
      await this.query(
        `INSERT INTO avatars (user_id, tenant_id, image) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET image = excluded.image`,
        [id, user.tenantId, image],
      );
    this.record({
      action: 'user.update',
      target: { type: 'user', id, name: user.email },
      before: { avatarBytes: user.bytes },
      after: { avatarBytes: image?.length ?? null },
      tenantId: user.tenantId ?? undefined,
    });
  }

  /** Of users of the caller's tenant; a super-admin may read all. */
  avatars(ids: readonly string[]): Promise<{ id: string; avatar: Buffer }[]> {
    return this.query(
      `SELECT a.user_id AS id, a.image AS avatar FROM avatars a JOIN users me ON me.id = $1
       WHERE a.user_id = ANY($2::uuid[]) AND (me.is_super_admin OR a.tenant_id = me.tenant_id) ORDER BY a.user_id`,
      [this.bound.scope.actor.id, [...ids]],
    );
  }

  async projects({ orderBy, contains, limit, offset }: ProjectQuery): Promise<Page<EnterableProject>> {
    const bind = [this.bound.scope.actor.id, contains === null ? null : containing(contains)];
    const [key, direction] = orderBy.split(':');
    const way = direction === 'desc' ? 'DESC' : 'ASC';
    const order = `ORDER BY ${inTextOrder(key === 'slug' ? 'p.slug' : 'p.name')} ${way}, p.id ${way}`;
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, bind);
    const items = await this.query<EnterableProject>(
      `SELECT ${columns} ${from} ${order} LIMIT $3 OFFSET $4`,
      [...bind, limit, offset],
    );
    return { items, total: count?.total ?? 0 };
  }
}
