/** Version rows `v` that changed what an approval of `locale` covers, after a base row with `shared_fields`. */
const changesContent = (locale: string, shared: string): string =>
  `v.changed_fields <> '{}' AND (${locale} = '' OR v.locale = ${locale} OR v.shared_fields <> ${shared})`;

/** Whether the content has changed since an approval `a`. */
export const lapsedSql = `EXISTS (
    SELECT FROM entry_versions v WHERE v.environment_id = a.environment_id AND v.entry_id = a.entry_id
      AND v.version_num > a.version AND ${changesContent(
        'a.locale',
        `(SELECT s.shared_fields FROM entry_versions s WHERE s.environment_id = a.environment_id
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
      SELECT w.*, lag(w.shared_fields) OVER (ORDER BY w.version_num, w.locale) AS former FROM entry_versions w
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
