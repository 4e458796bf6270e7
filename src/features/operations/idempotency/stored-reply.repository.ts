import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** An encrypted reply with the fingerprint of its request. */
export interface StoredReply {
  readonly fingerprint: Buffer;
  /** Empty while the request runs outside a transaction. */
  readonly reply: Buffer;
}

/** A claim this old belongs to a process that was killed. */
const PENDING_MILLISECONDS = 60_000;
const PRUNED_AT_ONCE = 5000;

export class StoredReplyRepository extends Repository {
  /**
   * Claims a request until the end of the transaction; returns the reply of an earlier one, stored in the last hours.
   * @throws AppError 409 `idempotency_in_progress`
   */
  async claim(id: Buffer, hours: number): Promise<StoredReply | undefined> {
    const [lock] = await this.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('idempotency:' || $1, 0)) AS "isOurs"`,
      [id.toString('hex')],
    );
    if (lock?.isOurs !== true) throw new AppError('idempotency_in_progress');
    // A separate statement, which sees what the previous lock holder committed.
    const [stored] = await this.query<StoredReply>(
      'SELECT fingerprint, reply FROM idempotent_replies WHERE id = $1 AND created_at > $2',
      [id, this.#horizon(hours)],
    );
    return stored;
  }

  /**
   * Claims a request that runs outside a transaction.
   * @throws AppError 409 `idempotency_in_progress`
   */
  async start(id: Buffer, fingerprint: Buffer, hours: number): Promise<StoredReply | undefined> {
    const stored = await this.claim(id, hours);
    if (stored !== undefined && stored.reply.length > 0) return stored;
    const [pending] = await this.query('SELECT 1 FROM idempotent_replies WHERE id = $1 AND created_at > $2', [
      id,
      new Date(this.bound.now.getTime() - PENDING_MILLISECONDS),
    ]);
    if (pending !== undefined) throw new AppError('idempotency_in_progress');
    await this.store(id, { fingerprint, reply: Buffer.alloc(0) });
    return undefined;
  }

  /** Releases a claim made by {@link start}. */
  async release(id: Buffer): Promise<void> {
    await this.query("DELETE FROM idempotent_replies WHERE id = $1 AND reply = ''", [id]);
  }

  async store(id: Buffer, { fingerprint, reply }: StoredReply): Promise<void> {
    await this.query(
      `INSERT INTO idempotent_replies (id, tenant_id, fingerprint, reply, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET fingerprint = $3, reply = $4, created_at = $5`,
      [id, this.bound.scope.tenantId, fingerprint, reply, this.bound.now],
    );
  }

  async prune(hours: number): Promise<void> {
    for (let gone = PRUNED_AT_ONCE; gone === PRUNED_AT_ONCE;) {
      const [row] = await this.query<{ gone: number }>(
        `WITH gone AS (DELETE FROM idempotent_replies WHERE id IN
           (SELECT id FROM idempotent_replies WHERE created_at <= $1 LIMIT ${String(PRUNED_AT_ONCE)}) RETURNING 1)
         SELECT count(*)::int AS gone FROM gone`,
        [this.#horizon(hours)],
      );
      gone = row?.gone ?? 0;
    }
  }

  #horizon(hours: number): Date {
    return new Date(this.bound.now.getTime() - hours * 3_600_000);
  }
}
