import type { Actor } from '../../../../contracts/actor.js';
import { limits } from '../../../../contracts/limits.js';
import type { NotificationKind } from '../../../../contracts/access/notifications/notifications.contract.js';
import { LIVE_CHANNEL, userTopic } from '../../../infrastructure/live-channel.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { orphanedSql } from '../../shared/key-reach.js';

/** What happened, and whom it concerns. */
export interface Notice {
  readonly userId: string;
  readonly kind: NotificationKind;
  /** Names what happened: the user hears of it once. */
  readonly dedupe: string;
  readonly actor: Actor;
  readonly entryId?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly field?: string | null | undefined;
  readonly blockId?: string | null | undefined;
  readonly commentId?: string | null | undefined;
  readonly subjectId?: string | null | undefined;
  /** Absent: the title of the entry. */
  readonly title?: string | undefined;
  readonly quote?: string | null | undefined;
}

/** A due assignment; the locale is null in a list of all. */
export interface DueAssignment {
  readonly userId: string;
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly dueAt: Date;
  readonly isShown: boolean;
  readonly isTranslation: boolean;
  readonly status: string;
  /** Null is the base state. */
  readonly workflowState: string | null;
}

/** A key that ends soon, or that has ended while something depends on it. */
export interface EndingKey {
  readonly id: string;
  readonly name: string;
  readonly creatorId: string | null;
  readonly endsAt: Date | null;
  readonly isOver: boolean;
}

/** The next eight in the morning after `now`, in the time zone of the user `u`. */
const nextMorning = (
  now: string,
): string => `(SELECT (m.day + CASE WHEN m.passed THEN interval '32 hours' ELSE interval '8 hours' END) AT TIME ZONE m.zone
  FROM (SELECT date_trunc('day', ${now} AT TIME ZONE z.zone) AS day, z.zone,
    (${now} AT TIME ZONE z.zone)::time >= '08:00' AS passed FROM (SELECT coalesce(u.time_zone, 'UTC') AS zone) AS z) AS m)`;

/** Owners of the project, and these users. */
const ownersAnd = (
  users: string,
): string => `SELECT x.user_id FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
    WHERE x.tenant_id = $1 AND x.project_id = $2 AND r.is_system AND r.slug = 'owner'
  UNION SELECT unnest(${users}::uuid[])`;

/** Writes notifications of the members of a project, and reads what they are about. */
export class NotificationRepository extends Repository {
  /** Leaves out who is no active member, and what a user has heard of. Other processes hear of it after the commit. */
  async add(notices: readonly Notice[]): Promise<void> {
    if (notices.length === 0) return;
    const { now, newId, scope } = this.bound;
    const rows = notices.map((notice) => ({ ...notice, id: newId() }));
    await this.query(
      `WITH made AS (
         INSERT INTO notifications (tenant_id, id, user_id, project_id, environment_id, kind, entry_id, locale, field, block_id,
           comment_id, subject_id, title, quote, actor, at, mail_at, dedupe)
         SELECT $1, g.id, g."userId", $2, CASE WHEN g."entryId" IS NOT NULL THEN $3::uuid END, g.kind, g."entryId", g.locale, g.field,
           g."blockId", g."commentId", g."subjectId",
           coalesce(g.title, (SELECT l.title FROM entry_locales l WHERE l.environment_id = $3 AND l.entry_id = g."entryId"
             AND NOT l.is_deleted ORDER BY l.locale = g.locale DESC NULLS LAST, l.is_shown DESC LIMIT 1), ''),
           g.quote, g.actor, $4,
           CASE coalesce(s.mail ->> g.kind, 'daily') WHEN 'immediately' THEN $4 WHEN 'daily' THEN ${nextMorning('$4::timestamptz')} END, g.dedupe
         FROM jsonb_to_recordset($5::jsonb) AS g (id uuid, "userId" uuid, kind text, "entryId" uuid, locale text, field text,
             "blockId" uuid, "commentId" uuid, "subjectId" uuid, title text, quote text, actor jsonb, dedupe text)
           JOIN members m ON m.tenant_id = $1 AND m.project_id = $2 AND m.user_id = g."userId" AND NOT m.is_suspended
           JOIN users u ON u.id = m.user_id
           LEFT JOIN notification_settings s ON s.user_id = g."userId"
         ON CONFLICT (tenant_id, user_id, dedupe) DO NOTHING RETURNING user_id)
       SELECT pg_notify('${LIVE_CHANNEL}', '${userTopic('')}' || user_id) FROM (SELECT DISTINCT user_id FROM made) AS notified`,
      [this.tenantId, this.projectId, scope.environmentId, now, JSON.stringify(rows)],
    );
  }

  /** Those who lead the project, and who made the thing. */
  async owners(creatorId: string | null): Promise<string[]> {
    const creators = creatorId === null ? [] : [creatorId];
    const rows = await this.query<{ user_id: string }>(ownersAnd('$3'), [
      this.tenantId,
      this.projectId,
      creators,
    ]);
    return rows.map((row) => row.user_id);
  }

  async creatorOf(table: 'webhooks', id: string): Promise<{ name: string; userId: string | null }> {
    const [row] = await this.query<{ name: string; userId: string | null }>(
      `SELECT name, CASE WHEN created_by ->> 'type' = 'user' THEN created_by ->> 'id' END AS "userId"
       FROM ${table} WHERE tenant_id = $1 AND id = $2`,
      [this.tenantId, id],
    );
    return row ?? { name: '', userId: null };
  }

  /** Users who wrote in a thread. */
  async writersIn(threadId: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT DISTINCT author_id AS id FROM entry_comments
       WHERE environment_id = $1 AND (id = $2 OR parent_id = $2) AND created_by ->> 'type' = 'user' AND author_id IS NOT NULL`,
      [this.environmentId, threadId],
    );
    return rows.map(({ id }) => id);
  }

  async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.query<{ id: string; name: string }>(
      'SELECT id, name FROM users WHERE tenant_id = $1 AND id = ANY ($2::uuid[])',
      [this.tenantId, userIds],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Members with one of the roles, in each list that is not empty. */
  async withRoles(first: readonly string[], second: readonly string[]): Promise<string[]> {
    const has = (
      roles: string,
    ): string => `(cardinality(${roles}::uuid[]) = 0 OR EXISTS (SELECT FROM member_roles x
      WHERE x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = m.user_id AND x.role_id = ANY (${roles}::uuid[])))`;
    const rows = await this.query<{ id: string }>(
      `SELECT m.user_id AS id FROM members m
       WHERE m.tenant_id = $1 AND m.project_id = $2 AND NOT m.is_suspended AND ${has('$3')} AND ${has('$4')}`,
      [this.tenantId, this.projectId, first, second],
    );
    return rows.map(({ id }) => id);
  }

  /** The user who last brought the entry into the state. */
  async broughtBy(entryId: string, locale: string, state: string): Promise<string | null> {
    const [row] = await this.query<{ id: string | null }>(
      `SELECT CASE WHEN by ->> 'type' = 'user' THEN by ->> 'id' END AS id FROM workflow_history
       WHERE environment_id = $1 AND entry_id = $2 AND locale IN ('', $3) AND to_state = $4 ORDER BY id DESC LIMIT 1`,
      [this.environmentId, entryId, locale, state],
    );
    return row?.id ?? null;
  }

  async translatorOf(entryId: string, locale: string): Promise<string | null> {
    const [row] = await this.query<{ id: string | null }>(
      'SELECT assignee_id AS id FROM translations WHERE environment_id = $1 AND entry_id = $2 AND locale = $3 AND NOT is_deleted',
      [this.environmentId, entryId, locale],
    );
    return row?.id ?? null;
  }

  /** What became due after `since`. */
  async due(since: Date): Promise<DueAssignment[]> {
    const window =
      'environment_id = $1 AND due_at > $2 AND due_at <= $3 AND assignee_id IS NOT NULL AND NOT is_deleted';
    return this.query<DueAssignment>(
      `SELECT assignee_id AS "userId", entry_id AS "entryId", content_type_id AS "contentTypeId", site_id AS "siteId", locale,
         due_at AS "dueAt", is_shown AS "isShown", false AS "isTranslation", status, workflow_state AS "workflowState"
       FROM entry_locales WHERE ${window}
       UNION ALL
       SELECT assignee_id, entry_id, content_type_id, site_id, locale, due_at, false, true, status, NULL
       FROM translations WHERE ${window} AND status <> 'complete'`,
      [this.environmentId, since, this.bound.now],
    );
  }

  /** Keys that end within the days, and those that have ended with schedules or webhooks of theirs still waiting. */
  async endingKeys(days: number): Promise<EndingKey[]> {
    const creator = `CASE WHEN k.created_by ->> 'type' = 'user' THEN k.created_by ->> 'id' END AS "creatorId"`;
    return this.query<EndingKey>(
      `SELECT k.id, k.name, ${creator}, k.expires_at AS "endsAt", false AS "isOver" FROM api_keys k
       WHERE k.tenant_id = $1 AND k.project_id = $2 AND k.revoked_at IS NULL AND k.expires_at > $3
         AND k.expires_at <= $3::timestamptz + make_interval(days => $4)
       UNION ALL
       SELECT k.id, k.name, ${creator}, NULL, true FROM api_keys k
       WHERE k.tenant_id = $1 AND k.project_id = $2 AND (k.revoked_at IS NOT NULL OR k.expires_at <= $3) AND k.id IN (
         SELECT w.owner_key_id FROM webhooks w WHERE w.tenant_id = $1 AND w.project_id = $2 AND w.enabled AND ${orphanedSql('w', '$3')}
         UNION SELECT j.owner_key_id FROM scheduled_jobs j
           WHERE j.tenant_id = $1 AND j.project_id = $2 AND j.status = 'scheduled' AND ${orphanedSql('j', '$3')})`,
      [this.tenantId, this.projectId, this.bound.now, days],
    );
  }

  /** Deletes what is older than its days, one batch; returns how many. */
  async prune(batch: number): Promise<number> {
    const rows = await this.query(
      `DELETE FROM notifications WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM notifications
         WHERE at < $1::timestamptz - make_interval(days => $2) ORDER BY at LIMIT $3) RETURNING id`,
      [this.bound.now, limits.notificationDays, batch],
    );
    return rows.length;
  }
}
