import type { Actor } from '../../../../contracts/actor.js';
import { limits } from '../../../../contracts/limits.js';
import type {
  MailTime,
  NotificationKind,
} from '../../../../contracts/access/notifications/notifications.contract.js';
import { LIVE_CHANNEL, userTopic } from '../../../infrastructure/live-channel.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { reachedEntries } from '../../shared/readable-entries.js';

export interface StoredNotification {
  readonly id: string;
  readonly environmentId: string | null;
  readonly kind: NotificationKind;
  readonly entryId: string | null;
  readonly locale: string | null;
  readonly field: string | null;
  readonly blockId: string | null;
  readonly commentId: string | null;
  readonly subjectId: string | null;
  readonly title: string;
  readonly quote: string | null;
  readonly actor: Actor;
  readonly at: Date;
  readonly readAt: Date | null;
}

/** An environment about which the user has notifications. */
export interface NotifiedPlace {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly projectName: string;
  readonly environmentId: string;
  readonly environmentSlug: string;
  readonly isDefault: boolean;
}

export interface Recipient {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
  readonly name: string;
}

/** The kinds about what belongs to a project, by the permission that shows it. */
export const projectKinds = {
  schedule_failed: 'releases.read',
  webhook_disabled: 'webhooks.read',
  key_expiring: 'apiKeys.read',
  orphaned: 'apiKeys.read',
} as const satisfies Partial<Record<NotificationKind, string>>;

const latest = `(SELECT * FROM notifications WHERE user_id = $1 ORDER BY at DESC, id DESC LIMIT ${String(limits.notificationsPerUser)})`;

/** The notifications of one user, and when they want mail. All but {@link readable} need a platform scope. */
export class OwnNotificationRepository extends Repository {
  /** Environments that the latest notifications are about; the default ones for what belongs to their project. */
  async places(userId: string): Promise<NotifiedPlace[]> {
    return this.query<NotifiedPlace>(
      `SELECT DISTINCT h.project_id AS "projectId", h.project_slug AS "projectSlug", h.project_name AS "projectName",
         h.environment_id AS "environmentId", h.environment_slug AS "environmentSlug", h.is_default AS "isDefault"
       FROM ${latest} AS n JOIN environment_heads h ON h.project_id = n.project_id
         AND CASE WHEN n.environment_id IS NULL THEN h.is_default ELSE h.environment_id = n.environment_id END`,
      [userId],
    );
  }

  /** Those of the latest that the scope may read, of an environment or, with `ofProject`, of its project too. */
  async readable(
    userId: string,
    { ofProject, kinds }: { ofProject: boolean; kinds: readonly string[] },
  ): Promise<StoredNotification[]> {
    const bound: unknown[] = [this.environmentId, userId, this.projectId, ofProject, kinds];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const reached = reachedEntries(this.bound.scope, 'entries.read', { alias: 'e', bind });
    return this.query<StoredNotification>(
      `SELECT n.id, n.environment_id AS "environmentId", n.kind, n.entry_id AS "entryId", n.locale, n.field, n.block_id AS "blockId",
         n.comment_id AS "commentId", n.subject_id AS "subjectId", n.title, n.quote, n.actor, n.at, n.read_at AS "readAt"
       FROM ${latest.replace('$1', '$2')} AS n LEFT JOIN entries e ON e.environment_id = $1 AND e.id = n.entry_id
       WHERE CASE WHEN n.entry_id IS NULL THEN $4 AND n.project_id = $3 AND n.kind = ANY ($5::text[])
         ELSE n.environment_id = $1 AND e.deleted_at IS NULL AND e.id IS NOT NULL
           AND (n.comment_id IS NULL OR EXISTS (SELECT FROM entry_comments c WHERE c.environment_id = $1 AND c.id = n.comment_id))
           ${reached === null ? '' : `AND ${reached}`} END`,
      bound,
    );
  }

  /** @param ids null: all */
  async markRead(userId: string, ids: readonly string[] | null): Promise<number> {
    const rows = await this.query(
      `UPDATE notifications SET read_at = $2 WHERE user_id = $1 AND read_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY ($3)) RETURNING id`,
      [userId, this.bound.now, ids],
    );
    if (rows.length > 0) await this.query(`SELECT pg_notify('${LIVE_CHANNEL}', $1)`, [userTopic(userId)]);
    return rows.length;
  }

  async settings(userId: string): Promise<Partial<Record<NotificationKind, MailTime>>> {
    const [row] = await this.query<{ mail: Partial<Record<NotificationKind, MailTime>> }>(
      'SELECT mail FROM notification_settings WHERE user_id = $1',
      [userId],
    );
    return row?.mail ?? {};
  }

  async saveSettings(before: object, after: object): Promise<void> {
    const { id, name } = this.bound.scope.actor;
    const [user] = await this.query<{ tenantId: string | null }>(
      `WITH saved AS (INSERT INTO notification_settings (user_id, tenant_id, mail) SELECT id, tenant_id, $2 FROM users WHERE id = $1
         ON CONFLICT (user_id) DO UPDATE SET mail = excluded.mail RETURNING tenant_id)
       SELECT tenant_id AS "tenantId" FROM saved`,
      [id, JSON.stringify(after)],
    );
    this.record({
      action: 'user.update',
      target: { type: 'user', id: id ?? '', name },
      before: { mail: before },
      after: { mail: after },
      tenantId: user?.tenantId ?? undefined,
    });
  }

  /** Active users to whom mail is due. */
  async recipients(limit: number): Promise<Recipient[]> {
    return this.query<Recipient>(
      `SELECT u.id, u.tenant_id AS "tenantId", u.email, u.name FROM users u JOIN tenants t ON t.id = u.tenant_id AND t.status = 'active'
       WHERE u.status = 'active' AND u.id IN (SELECT user_id FROM notifications WHERE mail_at <= $1) ORDER BY u.id LIMIT $2`,
      [this.bound.now, limit],
    );
  }

  /** Ids of the unread ones that are due by mail, which no other process gets: each is sent once. */
  async takeMail(userId: string): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ id: string; isUnread: boolean }>(
      `UPDATE notifications SET mail_at = NULL WHERE user_id = $1 AND mail_at <= $2 RETURNING id, read_at IS NULL AS "isUnread"`,
      [userId, this.bound.now],
    );
    return new Set(rows.filter(({ isUnread }) => isUnread).map(({ id }) => id));
  }
}
