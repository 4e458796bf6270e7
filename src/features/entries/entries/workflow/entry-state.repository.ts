import type { Actor } from '../../../../../contracts/actor.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** Version rows `v` that changed what an approval of `locale` covers, after a base row with `shared_fields`. */
const changesContent = (locale: string, shared: string): string =>
  `v.changed_fields <> '{}' AND (${locale} = '' OR v.locale = ${locale} OR v.shared_fields <> ${shared})`;

/** Whether the content has changed since an approval `a`. */
export const lapsedSql = `EXISTS (
    SELECT FROM whole_versions v WHERE v.environment_id = a.environment_id AND v.entry_id = a.entry_id
      AND v.version_num > a.version AND ${changesContent(
        'a.locale',
        `(SELECT s.shared_fields FROM whole_versions s WHERE s.environment_id = a.environment_id
          AND s.entry_id = a.entry_id AND s.version_num <= a.version ORDER BY s.version_num DESC LIMIT 1)`,
      )})`;

/** SQL expressions that say what was, or is to be, approved. */
interface ApprovedPlace {
  readonly entry: string;
  /** '' is the whole entry. */
  readonly locale: string;
  readonly from: string;
  readonly to: string;
}

interface AuthorsOptions {
  /** When it was approved; the present if absent. */
  readonly until?: string;
  /** Condition on a row `h` of the history: whether the transition was an approval. */
  readonly isApproval?: string;
}

/** Actors `by` who changed the content since the same transition was last approved (rule workflows/approvals). `$1` is the environment. */
export function authorsSql(
  { entry, locale, from, to }: ApprovedPlace,
  { until, isApproval = "h.approvals <> '[]'" }: AuthorsOptions = {},
): string {
  const before = (time: string, operator: string) =>
    until === undefined ? '' : ` AND ${time} ${operator} ${until}`;
  return `SELECT v.created_by AS by FROM (
      SELECT w.*, lag(w.shared_fields) OVER (ORDER BY w.version_num, w.locale) AS former FROM whole_versions w
      WHERE w.environment_id = $1 AND w.entry_id = ${entry}) AS v
    WHERE (v.former IS NULL OR (${changesContent(locale, 'v.former')}))${before('v.created_at', '<=')}
      AND v.created_at > coalesce((SELECT max(h.at) FROM workflow_history h WHERE h.environment_id = $1 AND h.entry_id = ${entry}
        AND h.locale = ${locale} AND h.from_state = ${from} AND h.to_state = ${to} AND ${isApproval}${before('h.at', '<')}), '-infinity')`;
}

/** Ids of actors `by`; a key counts also as the user who made it, also through other keys. */
export const handsSql = (actors: string, tenant: string): string => `WITH RECURSIVE hand AS (
    ${actors}
    UNION
    SELECT k.created_by FROM hand b JOIN api_keys k ON k.tenant_id = ${tenant} AND b.by->>'type' = 'api_key' AND k.id::text = b.by->>'id')
  SELECT by->>'id' FROM hand WHERE by->>'id' IS NOT NULL`;

/** Where a workflow counts: one locale, or '' for the whole entry. */
export interface StatePlace {
  readonly entryId: string;
  readonly locale: string;
}

/** A transition of an entry in a place. */
export interface TransitionPlace extends StatePlace {
  readonly from: string;
  readonly to: string;
}

export const transitionKey = ({ entryId, locale, from, to }: TransitionPlace): string =>
  [entryId, locale, from, to].join(' ');

export interface StoredApproval extends StatePlace {
  readonly from: string;
  readonly to: string;
  readonly userId: string;
  readonly by: Actor;
  readonly at: Date;
  readonly comment: string | null;
  /** Whether the content has changed since. */
  readonly isLapsed: boolean;
}

/** An approval as the history keeps it. */
interface CountedApproval {
  readonly by: Actor;
  readonly at: string;
  readonly comment: string | null;
}

export interface StateChange extends StatePlace {
  readonly from: string;
  readonly to: string;
  /** What the locales store; null for the base state. */
  readonly stored: string | null;
  readonly comment: string | null;
  readonly approvals: readonly CountedApproval[];
}

export interface StateHistory extends CountedApproval {
  readonly from: string;
  readonly to: string;
  readonly approvals: readonly CountedApproval[];
}

/** Null clears; an absent key keeps the value. */
export interface Assignment extends StatePlace {
  readonly assigneeId?: string | null | undefined;
  readonly dueAt?: Date | null | undefined;
}

const places = (rows: readonly StatePlace[]): [string[], string[]] => [
  rows.map(({ entryId }) => entryId),
  rows.map(({ locale }) => locale),
];

/** States, assignments, approvals and history of entries. Each call is one statement, whatever the number of entries. */
export class EntryStateRepository extends Repository {
  /** Writes states with their history; approvals of the entry are settled by it. */
  async enter(changes: readonly StateChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[])
           AS g (entry_id, locale, id, from_state, to_state, stored, comment, approvals)),
       moved AS (UPDATE entry_locales l SET workflow_state = g.stored FROM given g
         WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND (g.locale = '' OR l.locale = g.locale)),
       settled AS (DELETE FROM workflow_approvals a USING given g
         WHERE a.environment_id = $1 AND a.entry_id = g.entry_id AND a.locale = g.locale)
       INSERT INTO workflow_history (tenant_id, environment_id, entry_id, id, locale, from_state, to_state, at, by, comment, approvals)
       SELECT $10, $1, entry_id, id, locale, from_state, to_state, $11, $12, comment, approvals FROM given`,
      [
        this.environmentId,
        ...places(changes),
        changes.map(() => this.bound.newId()),
        changes.map(({ from }) => from),
        changes.map(({ to }) => to),
        changes.map(({ stored }) => stored),
        changes.map(({ comment }) => comment),
        changes.map(({ approvals }) => JSON.stringify(approvals)),
        this.tenantId,
        this.bound.now,
        this.#actor,
      ],
    );
  }

  async assign(assignments: readonly Assignment[]): Promise<void> {
    const given = assignments.filter((one) => one.assigneeId !== undefined || one.dueAt !== undefined);
    if (given.length === 0) return;
    await this.query(
      `UPDATE entry_locales l SET
         assignee_id = CASE WHEN g.sets_assignee THEN g.assignee_id ELSE l.assignee_id END,
         due_at = CASE WHEN g.sets_due THEN g.due_at ELSE l.due_at END
       FROM unnest($2::uuid[], $3::text[], $4::boolean[], $5::uuid[], $6::boolean[], $7::timestamptz[])
         AS g (entry_id, locale, sets_assignee, assignee_id, sets_due, due_at)
       WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND (g.locale = '' OR l.locale = g.locale)`,
      [
        this.environmentId,
        ...places(given),
        given.map(({ assigneeId }) => assigneeId !== undefined),
        given.map(({ assigneeId }) => assigneeId ?? null),
        given.map(({ dueAt }) => dueAt !== undefined),
        given.map(({ dueAt }) => dueAt ?? null),
      ],
    );
  }

  /** Replaces a lapsed approval of the same user. */
  async approve(
    approvals: readonly (StatePlace &
      Pick<StateChange, 'from' | 'to' | 'comment'> & { readonly version: number })[],
  ): Promise<void> {
    if (approvals.length === 0) return;
    await this.query(
      `INSERT INTO workflow_approvals (tenant_id, environment_id, entry_id, locale, from_state, to_state, user_id, by, at, version, comment)
       SELECT $2, $1, g.entry_id, g.locale, g.from_state, g.to_state, $3, $4, $5, g.version, g.comment
       FROM unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::int[], $11::text[])
         AS g (entry_id, locale, from_state, to_state, version, comment)
       ON CONFLICT (environment_id, entry_id, locale, from_state, to_state, user_id) DO UPDATE SET
         by = excluded.by, at = excluded.at, version = excluded.version, comment = excluded.comment`,
      [
        this.environmentId,
        this.tenantId,
        this.bound.scope.actor.id,
        this.#actor,
        this.bound.now,
        ...places(approvals),
        approvals.map(({ from }) => from),
        approvals.map(({ to }) => to),
        approvals.map(({ version }) => version),
        approvals.map(({ comment }) => comment),
      ],
    );
  }

  /** Approvals of the locales, and of the whole entry; a null locale is all of them. */
  async dropApprovals(
    given: readonly { readonly id: string; readonly locale: string | null }[],
  ): Promise<void> {
    if (given.length === 0) return;
    await this.query(
      `DELETE FROM workflow_approvals a USING unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)
       WHERE a.environment_id = $1 AND a.entry_id = g.entry_id AND (g.locale IS NULL OR a.locale IN ('', g.locale))`,
      [this.environmentId, given.map(({ id }) => id), given.map(({ locale }) => locale)],
    );
  }

  /** First approved first. */
  async approvalsOf(given: readonly StatePlace[]): Promise<StoredApproval[]> {
    if (given.length === 0) return [];
    return this.query<StoredApproval>(
      `SELECT a.entry_id AS "entryId", a.locale, a.from_state AS "from", a.to_state AS "to", a.user_id AS "userId", a.by, a.at,
         a.comment, ${lapsedSql} AS "isLapsed"
       FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)
         JOIN workflow_approvals a ON a.environment_id = $1 AND a.entry_id = g.entry_id AND a.locale = g.locale
       ORDER BY a.at, a.user_id`,
      [this.environmentId, ...places(given)],
    );
  }

  /**
   * Actors who changed the content since the transition was last approved, by {@link transitionKey}: users, and keys with
   * the users who made them.
   */
  async authorsOf(given: readonly TransitionPlace[]): Promise<Map<string, readonly string[]>> {
    if (given.length === 0) return new Map();
    const place = { entry: 'g.entry_id', locale: 'g.locale', from: 'g.from_state', to: 'g.to_state' };
    const rows = await this.query<TransitionPlace & { actorIds: string[] }>(
      `SELECT g.entry_id AS "entryId", g.locale, g.from_state AS "from", g.to_state AS "to", ARRAY(${handsSql(authorsSql(place), '$6')}) AS "actorIds"
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS g (entry_id, locale, from_state, to_state)`,
      [
        this.environmentId,
        ...places(given),
        given.map(({ from }) => from),
        given.map(({ to }) => to),
        this.tenantId,
      ],
    );
    return new Map(rows.map(({ actorIds, ...one }) => [transitionKey(one), actorIds]));
  }

  /** Latest first. */
  history(
    { entryId, locale }: StatePlace,
    limit: number,
  ): Promise<(Omit<StateHistory, 'at'> & { at: Date })[]> {
    return this.query(
      `SELECT from_state AS "from", to_state AS "to", at, by, comment, approvals FROM workflow_history
       WHERE environment_id = $1 AND entry_id = $2 AND locale = $3 ORDER BY id DESC LIMIT $4`,
      [this.environmentId, entryId, locale, limit],
    );
  }

  /** Whether the user is an active member of the project. */
  async isMember(userId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM members WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3 AND NOT is_suspended',
      [this.tenantId, this.projectId, userId],
    );
    return rows.length > 0;
  }

  get #actor(): string {
    return JSON.stringify(this.bound.scope.actor);
  }
}
