import type { SealedBox } from '../../../access/sealed-box.js';
import type { TenantRow } from '../../../persistence/models/access.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { MailKind, MailValues } from './mail-kinds.js';

export interface NewMail<K extends MailKind> {
  readonly kind: K;
  /** For platform work; unset: the tenant of the unit of work. */
  readonly tenantId?: string | undefined;
  /** `userId` of an account of the tenant: the mail is deleted with it. */
  readonly to: { readonly email: string; readonly name: string; readonly userId?: string | undefined };
  /** What the text of this kind is made of. Plain text: it is escaped where necessary. */
  readonly values: MailValues<K>;
  /** What the mail is about; it is the target of its link. */
  readonly url: string;
  /** Set if `url` contains a token: it is stored encrypted, and removed after the last attempt. */
  readonly secretBox?: SealedBox | undefined;
  /** A locale; unset or null: the language of the user, else of the tenant. */
  readonly language?: string | null | undefined;
  /** Not sent later; unset: retried for about a day. */
  readonly givesUpAt?: Date | undefined;
}

const GIVES_UP_MILLISECONDS = 86_400_000;

/**
 * Queues a mail in the transaction of the change that it reports: it is sent if the change is committed, by the worker, with
 * retries. Without `SMTP_URL` it is recorded as failed, so callers need not ask.
 * @returns the id of the mail
 */
export function queueMail<K extends MailKind>(work: UnitOfWork, mail: NewMail<K>): Promise<string> {
  return work.use(MailRepository).insert(work.newId(), mail);
}

/** A mail that this process has claimed for one attempt. */
export interface ClaimedMail {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly recipientName: string;
  readonly language: string | null;
  readonly payload: { readonly values: Readonly<Record<string, string | number>>; readonly url?: string };
  readonly sealedUrl: string | null;
  /** Including this one. */
  readonly attempts: number;
  readonly givesUpAt: Date;
  readonly createdAt: Date;
  readonly sender: TenantRow['mailSender'];
}

export interface MailSettlement {
  readonly tenantId: string;
  readonly id: string;
  readonly status: 'pending' | 'sent' | 'failed';
  readonly outcome: string | null;
  readonly nextAttemptAt: Date;
}

const PRUNE_BATCH = 1000;
const RETENTION = '30 days';

/** All but inserting needs a platform scope. */
export class MailRepository extends Repository {
  async insert<K extends MailKind>(id: string, mail: NewMail<K>): Promise<string> {
    const { kind, tenantId = this.tenantId, to, values, url, secretBox, language, givesUpAt } = mail;
    const { now } = this.bound;
    const payload = secretBox === undefined ? { values, url } : { values };
    await this.query(
      `INSERT INTO mails (tenant_id, id, user_id, kind, recipient, recipient_name, language, payload, sealed_url,
         created_at, next_attempt_at, gives_up_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)`,
      [
        tenantId,
        id,
        to.userId ?? null,
        kind,
        to.email,
        to.name,
        language ?? null,
        JSON.stringify(payload),
        secretBox?.sealText(url, id) ?? null,
        now,
        givesUpAt ?? new Date(now.getTime() + GIVES_UP_MILLISECONDS),
      ],
    );
    return id;
  }

  /** Tenants take turns, so that many mails of one do not delay those of others. No other worker takes them before the lease ends. */
  async claim({
    claim,
    leaseEnd,
    limit,
  }: {
    claim: string;
    leaseEnd: Date;
    limit: number;
  }): Promise<ClaimedMail[]> {
    return this.query<ClaimedMail>(
      `WITH due AS (
         SELECT m.tenant_id, m.id, row_number() OVER (PARTITION BY m.tenant_id ORDER BY m.next_attempt_at, m.id) AS turn
         FROM (SELECT tenant_id, id, next_attempt_at FROM mails WHERE status = 'pending' AND next_attempt_at <= $3
               ORDER BY next_attempt_at, id LIMIT 10000) m
         JOIN tenants t ON t.id = m.tenant_id AND t.status = 'active'),
       chosen AS (
         SELECT m.tenant_id, m.id FROM mails m
         WHERE (m.tenant_id, m.id) IN (SELECT tenant_id, id FROM due ORDER BY turn, id LIMIT $4)
           AND m.status = 'pending' AND m.next_attempt_at <= $3 FOR UPDATE SKIP LOCKED)
       UPDATE mails m SET claim = $1, next_attempt_at = $2, attempts = m.attempts + 1
       FROM chosen c, tenants t
       WHERE m.tenant_id = c.tenant_id AND m.id = c.id AND t.id = m.tenant_id
       RETURNING m.tenant_id AS "tenantId", m.id, m.kind, m.recipient, m.recipient_name AS "recipientName",
         coalesce(m.language, (SELECT u.language FROM users u WHERE u.id = m.user_id), t.default_locale) AS language, m.payload, m.sealed_url AS "sealedUrl", m.attempts,
         m.gives_up_at AS "givesUpAt", m.created_at AS "createdAt", t.mail_sender AS sender`,
      [claim, leaseEnd, this.bound.now, limit],
    );
  }

  /** Records attempts whose claim still holds. */
  async settle(claim: string, settlements: readonly MailSettlement[]): Promise<void> {
    await this.query(
      `UPDATE mails m SET status = s.status, outcome = s.outcome, next_attempt_at = s."nextAttemptAt", claim = NULL,
         sealed_url = CASE WHEN s.status = 'pending' THEN m.sealed_url END,
         completed_at = CASE WHEN s.status <> 'pending' THEN $2::timestamptz END
       FROM jsonb_to_recordset($3::jsonb)
         AS s ("tenantId" uuid, id uuid, status text, outcome text, "nextAttemptAt" timestamptz)
       WHERE m.tenant_id = s."tenantId" AND m.id = s.id AND m.claim = $1`,
      [claim, this.bound.now, JSON.stringify(settlements)],
    );
  }

  /** Ends mails that nothing would send; returns how many. */
  async giveUp(outcome: string): Promise<number> {
    const rows = await this.query(
      `UPDATE mails SET status = 'failed', outcome = $1, sealed_url = NULL, completed_at = $2
       WHERE status = 'pending' RETURNING id`,
      [outcome, this.bound.now],
    );
    return rows.length;
  }

  /** Deletes what was completed more than 30 days ago. */
  async prune(): Promise<void> {
    for (let deleted = PRUNE_BATCH; deleted === PRUNE_BATCH;) {
      const rows = await this.query(
        `DELETE FROM mails WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM mails
           WHERE status <> 'pending' AND completed_at < $1::timestamptz - interval '${RETENTION}' LIMIT ${String(PRUNE_BATCH)})
         RETURNING id`,
        [this.bound.now],
      );
      deleted = rows.length;
    }
  }
}
