import { Repository } from '../../../../persistence/repositories/repository.js';
import { authorsSql, handsSql } from '../../../entries/entries/index.js';
import { groupedEntries, type FoundEntry } from './content-scan.repository.js';
import { reviewRulesSql, type ReviewRule } from './review-rules.js';

export interface ReviewQuery {
  readonly since: Date | null;
  readonly until: Date;
  readonly known: readonly string[];
  readonly limit: number;
  readonly rules: readonly ReviewRule[];
}

/** `$1` environment, `$2` since, `$3` until, `$4` known entries. */
const changedEntries = (table: string, more = ''): string => `changed AS MATERIALIZED (
    SELECT DISTINCT entry_id FROM ${table} WHERE environment_id = $1 AND at <= $3 AND ($2::timestamptz IS NULL OR at > $2)
    UNION SELECT unnest($4::uuid[]) ${more})`;

/**
 * Published locales with the publication that made them live. `state` is the one of the entry at that time: of the last
 * transition before it, else what the first one after it left.
 */
const livePublications = `live AS (
    SELECT l.entry_id, l.locale, l.content_type_id, l.site_id, l.published_version, l.published_at AS at, p.by, r.workflow, r.allowed, r.is_chosen, r.is_strict,
      r.per_locale, h.place,
      coalesce(
        (SELECT b.to_state FROM workflow_history b WHERE b.environment_id = $1 AND b.entry_id = l.entry_id
           AND b.locale = h.place AND b.at <= p.at ORDER BY b.at DESC, b.id DESC LIMIT 1),
        (SELECT a.from_state FROM workflow_history a WHERE a.environment_id = $1 AND a.entry_id = l.entry_id
           AND a.locale = h.place AND a.at > p.at ORDER BY a.at, a.id LIMIT 1),
        l.workflow_state, r.base_state) AS state
    FROM changed c JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = c.entry_id
    JOIN ${reviewRulesSql('$6')} ON r.type_id = l.content_type_id AND r.site_id = l.site_id
    CROSS JOIN LATERAL (SELECT CASE WHEN r.per_locale THEN l.locale ELSE '' END AS place) AS h
    JOIN LATERAL (SELECT p.at, p.by FROM entry_publications p WHERE p.environment_id = $1 AND p.entry_id = l.entry_id
        AND p.version_num = l.published_version AND p.locale = l.locale AND p.kind = 'publish'
        ORDER BY p.ordinal DESC LIMIT 1) AS p ON true
    WHERE l.published_version IS NOT NULL AND NOT l.is_deleted)`;

const who = (actor: string): string =>
  `jsonb_build_object('type', ${actor} -> 'type', 'id', ${actor} -> 'id')`;

/** Who published and approved the entries of the environment. */
export class ReviewRepository extends Repository {
  /**
   * Entries that are live, published in a state that does not allow it, of types whose workflow is in use: the type or
   * the workflow names the other, or an entry of the type has been moved through one (rule governance/issues). With the first move of a
   * type, and when the type changes, all of its live entries are looked at.
   */
  async publishedUnapproved(query: ReviewQuery): Promise<FoundEntry[]> {
    return this.#entries(
      `WITH moved AS MATERIALIZED (
         SELECT e.content_type_id, min(h.at) AS first FROM workflow_history h
           JOIN entries e ON e.environment_id = h.environment_id AND e.id = h.entry_id
         WHERE h.environment_id = $1 AND h.at <= $3 GROUP BY 1),
       ${changedEntries(
         'entry_publications',
         `UNION SELECT l.entry_id FROM moved m JOIN entry_locales l ON l.environment_id = $1 AND l.content_type_id = m.content_type_id
            AND l.published_version IS NOT NULL AND NOT l.is_deleted WHERE m.first > $2
          UNION SELECT l.entry_id FROM content_types t JOIN entry_locales l ON l.environment_id = $1 AND l.content_type_id = t.id
            AND l.published_version IS NOT NULL AND NOT l.is_deleted WHERE t.environment_id = $1 AND t.updated_at > $2`,
       )}, ${livePublications}, found AS (
         SELECT entry_id, locale, at, jsonb_build_object('state', state, 'workflow', workflow, 'version', published_version,
           'publishedAt', at, 'publishedBy', ${who('by')}) AS evidence
         FROM live WHERE NOT state = ANY(allowed) AND (is_chosen OR content_type_id IN (SELECT content_type_id FROM moved)))
       ${groupedEntries}`,
      query,
    );
  }

  /** Entries in a state that allows publishing, approved by someone who had changed them since their last approval. */
  async approvedByAuthor(query: ReviewQuery): Promise<FoundEntry[]> {
    const place = { entry: 'a.entry_id', locale: 'a.locale', from: 'a.from_state', to: 'a.to_state' };
    const authors = authorsSql(place, {
      until: 'a.at',
      isApproval: "(h.approvals <> '[]' OR a.approvals = '[]')",
    });
    return this.#entries(
      `WITH ${changedEntries('workflow_history')}, latest AS (
         SELECT DISTINCT ON (l.entry_id, place.locale) l.entry_id, place.locale, r.allowed, h.from_state, h.to_state, h.at, h.by, h.approvals
         FROM changed c JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = c.entry_id AND NOT l.is_deleted
         JOIN ${reviewRulesSql('$6')} ON r.type_id = l.content_type_id AND r.site_id = l.site_id
         CROSS JOIN LATERAL (SELECT CASE WHEN r.per_locale THEN l.locale ELSE '' END AS locale) AS place
         JOIN LATERAL (SELECT * FROM workflow_history h WHERE h.environment_id = $1 AND h.entry_id = l.entry_id
           AND h.locale = place.locale ORDER BY h.at DESC, h.id DESC LIMIT 1) AS h ON true),
       approver AS (
         SELECT a.*, p.by AS approver, ARRAY(${handsSql('SELECT p.by', '$7')}) AS hands FROM latest a CROSS JOIN LATERAL (
           SELECT x -> 'by' AS by FROM jsonb_array_elements(a.approvals) AS x
           UNION ALL SELECT a.by WHERE jsonb_array_length(a.approvals) = 0) AS p
         WHERE a.to_state = ANY(a.allowed)),
       found AS (
         SELECT DISTINCT ON (a.entry_id, a.locale) a.entry_id, a.locale, a.at, jsonb_build_object('state', a.to_state, 'approvedAt', a.at,
           'approvedBy', ${who('a.approver')}, 'version', (SELECT max(v.version_num) FROM entry_versions v WHERE v.environment_id = $1
             AND v.entry_id = a.entry_id AND v.created_at <= a.at AND (a.locale = '' OR v.locale = a.locale))) AS evidence
         FROM approver a WHERE a.hands && ARRAY(${handsSql(authors, '$7')})
         ORDER BY a.entry_id, a.locale, a.approver ->> 'id')
       ${groupedEntries}`,
      query,
      [this.tenantId],
    );
  }

  /** Entries that are live, written and published by keys, published over MCP, that no user approved in between. */
  async publishedByAgents(query: ReviewQuery): Promise<FoundEntry[]> {
    return this.#entries(
      `WITH ${changedEntries('entry_publications')}, ${livePublications}, found AS (
         SELECT l.entry_id, l.locale, l.at, jsonb_build_object('version', l.published_version, 'publishedAt', l.at,
           'publishedBy', ${who('l.by')}, 'writtenBy', ${who('v.created_by')}) AS evidence
         FROM live l JOIN LATERAL (SELECT v.created_by, v.created_at FROM entry_versions v WHERE v.environment_id = $1
             AND v.entry_id = l.entry_id AND v.locale = l.locale AND v.version_num <= l.published_version
             ORDER BY v.version_num DESC LIMIT 1) AS v ON true
         WHERE l.by ->> 'type' = 'api_key' AND v.created_by ->> 'type' = 'api_key'
           AND EXISTS (SELECT FROM audit_events a WHERE a.chain_id = $7 AND a.target ->> 'id' = l.entry_id::text AND a.at = l.at
             AND a.action = 'entry.publish' AND a.context ->> 'interface' = 'mcp')
           AND NOT EXISTS (SELECT FROM workflow_history h WHERE h.environment_id = $1 AND h.entry_id = l.entry_id
             AND h.locale = l.place AND h.at BETWEEN v.created_at AND l.at AND h.to_state = ANY(l.allowed)
             AND h.by ->> 'type' = 'user'))
       ${groupedEntries}`,
      query,
      [this.projectId],
    );
  }

  #entries(
    sql: string,
    { since, until, known, limit, rules }: ReviewQuery,
    more: readonly unknown[] = [],
  ): Promise<FoundEntry[]> {
    return this.query<FoundEntry>(sql, [
      this.environmentId,
      since,
      until,
      [...known],
      limit,
      JSON.stringify(rules),
      ...more,
    ]);
  }
}
