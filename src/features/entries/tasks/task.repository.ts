import type { Page } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import type { TaskKind } from '../../../../contracts/entries/tasks/task.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { authorsSql, handsSql, lapsedSql } from '../entries/index.js';
import { reachedEntries } from '../../shared/readable-entries.js';
import type { ApprovalRule, TaskRule } from './task-rules.js';

export interface StoredTask {
  readonly kind: TaskKind;
  readonly entryId: string;
  readonly title: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string | null;
  /** Null is the base state of the workflow. */
  readonly state: string | null;
  /** From JSON. */
  readonly dueAt: string | null;
  readonly commentId: string | null;
}

export interface TaskQuery {
  /** Null means every user. */
  readonly userId: string | null;
  readonly kinds: readonly TaskKind[];
  readonly rules: readonly TaskRule[];
  readonly approvals: readonly ApprovalRule[];
  readonly isAscending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Of one kind: each reads an index in the order of the list, and ends after as many rows as the list has. */
interface Source {
  /** The user as a parameter; null for every user. */
  readonly user: string | null;
  readonly bind: (value: unknown) => string;
  /** Further condition on the entry `e`. */
  readonly readable: string;
  /** Sorts by the columns and ends the source. */
  readonly first: (...columns: string[]) => string;
}

const rulesOf = (rules: string): string =>
  `jsonb_to_recordset(${rules}::jsonb) AS r ("typeId" uuid, "siteId" uuid, "perLocale" boolean, done jsonb)`;

/** Of an approval of the entry `l` by the rule `g` for the target `t`. */
const place = {
  entry: 'l.entry_id',
  locale: `CASE WHEN g."perLocale" THEN l.locale ELSE '' END`,
  from: 'g.state',
  to: 't."to"',
};

/** Whether a column names the user, or any. */
const isOf = (column: string, user: string | null): string =>
  user === null ? `${column} IS NOT NULL` : `${column} = ${user}`;

/** Of a comment that mentions several users, one row for all of them. */
const firstMention = (user: string | null): string =>
  user === null
    ? `AND NOT EXISTS (SELECT FROM comment_mentions o WHERE o.environment_id = m.environment_id AND o.comment_id = m.comment_id
         AND o.is_open AND o.user_id < m.user_id)`
    : '';

/** What keeps a user from approving: an approval that counts, or own changes where they exclude. */
const mayApprove = (user: string | null): string =>
  user === null
    ? ''
    : `WHERE NOT EXISTS (SELECT FROM workflow_approvals a WHERE a.environment_id = l.environment_id AND a.entry_id = l.entry_id
                AND a.locale = ${place.locale} AND a.user_id = ${user} AND a.from_state = g.state AND a.to_state = t."to" AND NOT ${lapsedSql})
              AND NOT (t."excludesAuthors" AND ${user}::text IN (${handsSql(authorsSql(place), 'e.tenant_id')}))`;

const sources: Readonly<Record<TaskKind, (query: TaskQuery, source: Source) => string>> = {
  transition: ({ rules }, { user, bind, readable, first }) => `
    SELECT 'transition' AS kind, l.entry_id, l.content_type_id, l.site_id,
      CASE WHEN r."perLocale" THEN l.locale END AS locale, l.workflow_state AS state, l.due_at, NULL::uuid AS comment_id,
      l.entry_id AS id, l.locale AS tie
    FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
      LEFT JOIN ${rulesOf(bind(JSON.stringify(rules)))}
        ON r."typeId" = l.content_type_id AND (r."siteId" IS NULL OR r."siteId" = l.site_id)
    WHERE l.environment_id = $1 AND ${isOf('l.assignee_id', user)} AND NOT l.is_deleted AND (l.is_shown OR r."perLocale")
      AND NOT (l.status = 'published' AND (r.done IS NULL OR r.done @> coalesce(to_jsonb(l.workflow_state), 'null')))${readable}
    ${first('l.due_at', 'l.entry_id', 'l.locale')}`,
  approval: ({ approvals }, { user, bind, readable, first }) => `
    SELECT 'approval', l.entry_id, l.content_type_id, l.site_id, CASE WHEN g."perLocale" THEN l.locale END, l.workflow_state,
      l.due_at, NULL::uuid, l.entry_id, l.locale
    FROM jsonb_to_recordset(${bind(JSON.stringify(approvals))}::jsonb)
        AS g ("typeId" uuid, "siteId" uuid, "perLocale" boolean, state text, targets jsonb)
      CROSS JOIN LATERAL (
        SELECT l.* FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
        WHERE l.environment_id = $1 AND l.workflow_state = g.state AND l.content_type_id = g."typeId" AND NOT l.is_deleted
          AND (g."siteId" IS NULL OR l.site_id = g."siteId") AND (l.is_shown OR g."perLocale")
          AND EXISTS (SELECT FROM jsonb_to_recordset(g.targets) AS t ("to" text, "excludesAuthors" boolean)
            ${mayApprove(user)})${readable}
        ${first('l.due_at', 'l.entry_id', 'l.locale')}) AS l`,
  translation: (_query, { user, readable, first }) => `
    SELECT 'translation', t.entry_id, t.content_type_id, t.site_id, t.locale, t.status, t.due_at, NULL::uuid, t.entry_id, t.locale
    FROM translations t JOIN entries e ON e.environment_id = t.environment_id AND e.id = t.entry_id
    WHERE t.environment_id = $1 AND ${isOf('t.assignee_id', user)} AND NOT t.is_deleted AND t.status <> 'complete'${readable}
    ${first('t.due_at', 't.entry_id', 't.locale')}`,
  mention: (_query, { user, readable, first }) => `
    SELECT 'mention', c.entry_id, e.content_type_id, e.site_id, c.locale, NULL, NULL::timestamptz, c.id, c.id, ''
    FROM comment_mentions m CROSS JOIN LATERAL (SELECT * FROM entry_comments o
        WHERE o.environment_id = m.environment_id AND o.id = m.comment_id OFFSET 0) AS c
      JOIN entries e ON e.environment_id = c.environment_id AND e.id = c.entry_id
    WHERE m.environment_id = $1 AND ${isOf('m.user_id', user)} AND m.is_open ${firstMention(user)} AND e.deleted_at IS NULL${readable}
    ${first('m.comment_id')}`,
};

const columns = `t.kind, t.entry_id AS "entryId", t.content_type_id AS "contentTypeId", t.site_id AS "siteId", t.locale, t.state,
  t.due_at AS "dueAt", t.comment_id AS "commentId",
  coalesce((SELECT x.title FROM entry_locales x WHERE x.environment_id = $1 AND x.entry_id = t.entry_id AND x.is_shown), '') AS title`;

export class TaskRepository extends Repository {
  /** One statement. Counts up to `limits.tasksListed`. */
  async list(query: TaskQuery): Promise<Page<StoredTask>> {
    const bound: unknown[] = [this.environmentId];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const user = query.userId === null ? null : `${bind(query.userId)}::uuid`;
    const direction = query.isAscending ? 'ASC' : 'DESC';
    const sorted = (names: readonly string[]) =>
      `ORDER BY ${names.map((name) => `${name} ${direction}`).join(', ')}`;
    const end = `LIMIT ${String(limits.tasksListed)}`;
    const first = (...names: string[]) => `${sorted(names)} ${end}`;
    const found = query.kinds.map((kind) => {
      const readable = this.#readable(kind, bind);
      return `(${sources[kind](query, { user, bind, readable, first })})`;
    });
    const order = sorted(['t.due_at', 't.id', 't.tie', 't.kind']);
    const [page] = await this.query<{ total: number; items: StoredTask[] }>(
      `WITH t (kind, entry_id, content_type_id, site_id, locale, state, due_at, comment_id, id, tie) AS MATERIALIZED (
         SELECT * FROM (${found.join(' UNION ALL ')}) AS t (kind, entry_id, content_type_id, site_id, locale, state, due_at,
           comment_id, id, tie) ${order} ${end})
       SELECT (SELECT count(*)::int FROM t) AS total, coalesce((SELECT jsonb_agg(p) FROM (
         SELECT ${columns} FROM t ${order} LIMIT ${bind(query.limit)} OFFSET ${bind(query.offset)}) AS p), '[]') AS items`,
      bound,
    );
    return page ?? { items: [], total: 0 };
  }

  /** Roles of an active member of the project; undefined if the user is none. */
  async rolesOf(userId: string): Promise<string[] | undefined> {
    const [member] = await this.query<{ roleIds: string[] }>(
      `SELECT ARRAY(SELECT r.role_id FROM member_roles r WHERE r.tenant_id = m.tenant_id AND r.project_id = m.project_id
           AND r.user_id = m.user_id) AS "roleIds"
       FROM members m WHERE m.tenant_id = $1 AND m.project_id = $2 AND m.user_id = $3 AND NOT m.is_suspended`,
      [this.tenantId, this.projectId, userId],
    );
    return member?.roleIds;
  }

  /** What the caller may read, also of the tasks of another user. */
  #readable(kind: TaskKind, bind: (value: unknown) => string): string {
    const verbs =
      kind === 'translation' ? (['entries.read', 'translations.read'] as const) : (['entries.read'] as const);
    const conditions = verbs.map((verb) => reachedEntries(this.bound.scope, verb, { alias: 'e', bind }));
    return conditions.map((condition) => (condition === null ? '' : ` AND ${condition}`)).join('');
  }
}
