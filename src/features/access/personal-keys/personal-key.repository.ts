import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { hashSecret } from '../../../access/key-secret.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { containing, Repository, type PageQuery } from '../../../persistence/repositories/repository.js';

export interface PersonalKeyRow {
  readonly id: string;
  readonly name: string;
  readonly user: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly slug: string; readonly name: string };
  readonly isReadOnly: boolean;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Keys of the calling user in all projects, or of every member of the project of the call. */
type Whose = 'own' | 'project';

const from = `FROM personal_keys k JOIN users u ON u.id = k.user_id JOIN projects p ON p.id = k.project_id`;
const columns = `k.id, k.name, jsonb_build_object('id', u.id, 'name', u.name) AS "user",
  jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name) AS project, k.is_read_only AS "isReadOnly",
  k.last_four AS "lastFour", k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt"`;

export interface NewPersonalKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Personal keys. Those of the calling user need a platform scope, those of a project its scope. */
export class PersonalKeyRepository extends Repository {
  #whose(whose: Whose): [where: string, bind: unknown[]] {
    if (whose === 'own') return ['WHERE k.user_id = $1', [this.bound.scope.actor.id]];
    return ['WHERE k.project_id = $1 AND k.tenant_id = $2', [this.projectId, this.tenantId]];
  }

  async list(whose: Whose, { page, limit, orderBy, q }: PageQuery): Promise<Page<PersonalKeyRow>> {
    const [where, bind] = this.#whose(whose);
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const named = q === undefined ? '' : `AND normalize(k.name) ILIKE ${value(containing(q))}`;
    const [key, direction] = orderBy.split(':');
    const way = direction === 'desc' ? 'DESC' : 'ASC';
    const order = `${key === 'name' ? inTextOrder('k.name') : 'k.created_at'} ${way}, k.id ${way}`;
    const [count] = await this.query<{ total: number }>(
      `SELECT count(*)::int AS total ${from} ${where} ${named}`,
      bind,
    );
    const items = await this.query<PersonalKeyRow>(
      `SELECT ${columns} ${from} ${where} ${named} ORDER BY ${order} LIMIT ${value(limit)} OFFSET ${value((page - 1) * limit)}`,
      bind,
    );
    return { items, total: count?.total ?? 0 };
  }

  /** Locks it. @throws AppError 404 `api_key_not_found` */
  async lock(whose: Whose, id: string): Promise<PersonalKeyRow> {
    const [where, bind] = this.#whose(whose);
    const [key] = isUuid(id)
      ? await this.query<PersonalKeyRow>(
          `SELECT ${columns} ${from} ${where} AND k.id = $${String(bind.length + 1)} FOR UPDATE OF k`,
          [...bind, id],
        )
      : [];
    if (key === undefined) throw new AppError('api_key_not_found');
    return key;
  }

  async countActive(userId: string): Promise<number> {
    const [count] = await this.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM personal_keys WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2`,
      [userId, this.bound.now],
    );
    return count?.total ?? 0;
  }

  /** @returns whether the user is a member of the project who is not suspended */
  async insert(key: NewPersonalKey, projectSlug: string): Promise<boolean> {
    const { id, userId, name, isReadOnly, secret, expiresAt } = key;
    const made = await this.query(
      `INSERT INTO personal_keys (tenant_id, project_id, user_id, id, name, is_read_only, secret_hash, last_four, created_at, expires_at)
       SELECT m.tenant_id, m.project_id, m.user_id, $3, $4, $5, $6, $7, $8, $9
       FROM members m JOIN projects p ON p.tenant_id = m.tenant_id AND p.id = m.project_id
       WHERE m.user_id = $1 AND p.slug = $2 AND NOT m.is_suspended RETURNING id`,
      [
        userId,
        projectSlug,
        id,
        name,
        isReadOnly,
        hashSecret(secret),
        secret.slice(-4),
        this.bound.now,
        expiresAt,
      ],
    );
    return made.length > 0;
  }

  async revoke({ id }: Pick<PersonalKeyRow, 'id'>): Promise<void> {
    await this.query('UPDATE personal_keys SET revoked_at = $2 WHERE id = $1', [id, this.bound.now]);
  }

  note(
    verb: 'personal_key_create' | 'personal_key_revoke',
    { id, name, user, project, ...key }: PersonalKeyRow,
  ): void {
    const { isReadOnly, expiresAt } = key;
    const state = {
      personalKeyId: id,
      name,
      isReadOnly,
      project: project.slug,
      expiresAt: expiresAt.toISOString(),
    };
    this.record({
      action: `user.${verb}`,
      target: { type: 'user', id: user.id, name: user.name },
      before: verb === 'personal_key_create' ? null : state,
      after: verb === 'personal_key_create' ? state : null,
    });
  }
}

/** A key as the gate needs it. */
interface KnownPersonalKey {
  readonly id: string;
  readonly userId: string;
  readonly projectId: string;
  readonly isReadOnly: boolean;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** The tenant requires a second factor, which the user has not set up. */
  readonly needsSecondFactor: boolean;
}

const findKey = {
  name: 'find_personal_key',
  text: `SELECT id, user_id AS "userId", project_id AS "projectId", is_read_only AS "isReadOnly", expires_at AS "expiresAt",
      revoked_at AS "revokedAt", needs_second_factor AS "needsSecondFactor"
    FROM find_personal_key($1, $2)`,
};

/** Finds personal keys before any tenant is known, and notes their last use every five minutes. */
export class PersonalKeyLookup {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  async find(secret: string, now: Date): Promise<KnownPersonalKey | undefined> {
    const [key] = await this.pool.run<KnownPersonalKey>(findKey, [hashSecret(secret), now]);
    return key;
  }
}
