import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { AuditVerb } from '../../../../contracts/change-names.js';
import { hashOfToken, isUuid } from '../../../infrastructure/ids.js';
import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { UserRow } from '../../../persistence/models/access.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export interface PasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const columns = `id, user_id AS "userId", name, credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, is_synced AS "isSynced", created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

interface PasskeyQuery {
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
}

/** Needs a platform scope. */
export class PasskeyRepository extends Repository {
  ofUser(userId: string): Promise<PasskeyRow[]> {
    return this.query<PasskeyRow>(`SELECT ${columns} FROM passkeys WHERE user_id = $1 ORDER BY id`, [userId]);
  }

  async list({ orderBy, limit, offset }: PasskeyQuery): Promise<Page<PasskeyRow>> {
    const bind = [this.bound.scope.actor.id];
    const [key, direction] = orderBy.split(':');
    const way = direction === 'desc' ? 'DESC' : 'ASC';
    const order = `${key === 'name' ? inTextOrder('name') : 'created_at'} ${way}, id ${way}`;
    const from = 'FROM passkeys WHERE user_id = $1';
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, bind);
    const items = await this.query<PasskeyRow>(
      `SELECT ${columns} ${from} ORDER BY ${order} LIMIT $2 OFFSET $3`,
      [...bind, limit, offset],
    );
    return { items, total: count?.total ?? 0 };
  }

  /** Locks it until the end of the transaction. */
  async lockByCredential(credentialId: string): Promise<PasskeyRow | undefined> {
    const [passkey] = await this.query<PasskeyRow>(
      `SELECT ${columns} FROM passkeys WHERE credential_id = $1 FOR UPDATE`,
      [credentialId],
    );
    return passkey;
  }

  /** @throws AppError 409 `passkey_exists` */
  async insert(passkey: PasskeyRow, { tenantId }: Pick<UserRow, 'tenantId'>): Promise<void> {
    const { id, userId, name, credentialId, publicKey, counter, transports, isSynced, createdAt } = passkey;
    await this.mapViolations(
      this.query(
        `INSERT INTO passkeys (tenant_id, id, user_id, name, credential_id, public_key, counter, transports, is_synced, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ...[tenantId, id, userId, name, credentialId, publicKey, counter],
          ...[JSON.stringify(transports), isSynced, createdAt],
        ],
      ),
      { passkeys_credential_key: () => new AppError('passkey_exists') },
    );
  }

  async use(id: string, { counter, isSynced }: Pick<PasskeyRow, 'counter' | 'isSynced'>): Promise<void> {
    await this.query('UPDATE passkeys SET counter = $2, is_synced = $3, last_used_at = $4 WHERE id = $1', [
      ...[id, counter, isSynced, this.bound.now],
    ]);
  }

  /** One of the calling user. @throws AppError 404 `passkey_not_found` */
  async removeOwn(id: string): Promise<Pick<PasskeyRow, 'id' | 'name'>> {
    const [removed] = isUuid(id)
      ? await this.query<Pick<PasskeyRow, 'id' | 'name'>>(
          'DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id, name',
          [this.bound.scope.actor.id, id],
        )
      : [];
    if (removed === undefined) throw new AppError('passkey_not_found');
    return removed;
  }

  /** @returns whether the challenge was not spent before */
  async spend(challenge: string, expiresAt: Date): Promise<boolean> {
    const spent = await this.query(
      `INSERT INTO spent_challenges (challenge_hash, expires_at) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING expires_at`,
      [hashOfToken(challenge), expiresAt],
    );
    return spent.length > 0;
  }

  note(
    verb: Extract<AuditVerb, `passkey_${string}`>,
    { id, email }: Pick<UserRow, 'id' | 'email'>,
    passkey: Pick<PasskeyRow, 'id' | 'name'>,
  ): void {
    const state = { passkeyId: passkey.id, name: passkey.name };
    this.record({
      action: `user.${verb}`,
      target: { type: 'user', id, name: email },
      before: verb === 'passkey_add' ? null : state,
      after: verb === 'passkey_remove' ? null : state,
    });
  }
}
