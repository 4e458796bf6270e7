import { Repository } from '../../../persistence/repositories/repository.js';
import type { StoredRules } from './redirect-loops.js';
import { pathAndAncestors } from '../redirect-path.js';
import type { RedirectRule } from '../redirect-rule.js';

const columns = 'r.id, r.source, r.target, r.status, r.match_type AS "matchType", r.locale';

/** Targets checked per prefix; delivery limits hops anyway. */
const TARGETS_PER_CHECK = 1000;

/**
 * Stored rules for the loop check. `OFFSET 0` forces index lookups, because statistics are outdated after an import.
 */
export class RedirectRulesRepository extends Repository {
  ofSite(siteId: string): StoredRules {
    return {
      patterns: () => this.#patterns(siteId),
      reachableFrom: (paths) => this.#reachableFrom(siteId, paths),
      targetsUnder: (prefixes) => this.#targetsUnder(siteId, prefixes),
    };
  }

  #patterns(siteId: string): Promise<RedirectRule[]> {
    return this.query<RedirectRule>(
      `SELECT ${columns} FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2 AND r.match_type = 'regex'
         AND r.is_active ORDER BY r.created_at, r.id`,
      [this.environmentId, siteId],
    );
  }

  /** Follows chains of exact redirects inside the database. */
  async #reachableFrom(
    siteId: string,
    paths: readonly string[],
  ): Promise<{ paths: string[]; rules: RedirectRule[] }> {
    const reached = await this.query<{ path: string }>(
      `WITH RECURSIVE reached (path) AS (
         SELECT DISTINCT asked COLLATE "C" FROM unnest($3::text[]) AS asked
         UNION SELECT step.target FROM reached CROSS JOIN LATERAL (
           SELECT r.target FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2
             AND r.source = reached.path AND r.match_type = 'exact' AND r.is_active OFFSET 0) AS step
       ) SELECT path FROM reached`,
      [this.environmentId, siteId, paths],
    );
    const all = reached.map(({ path }) => path);
    const sources = [...new Set(all.flatMap(pathAndAncestors))];
    const rules = await this.query<RedirectRule>(
      `SELECT rule.* FROM unnest($3::text[]) AS asked (source) CROSS JOIN LATERAL (
         SELECT ${columns} FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2
           AND r.source = asked.source COLLATE "C" AND r.match_type <> 'regex' AND r.is_active OFFSET 0) AS rule`,
      [this.environmentId, siteId, sources],
    );
    return { paths: all, rules };
  }

  #targetsUnder(siteId: string, prefixes: readonly string[]): Promise<{ prefix: string; target: string }[]> {
    // "/a/" ≤ x < "/a0" matches all x that start with "/a/", because "0" follows "/".
    return this.query(
      `SELECT asked.prefix, rule.target FROM unnest($3::text[]) AS asked (prefix) CROSS JOIN LATERAL (
         SELECT r.target FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2 AND r.is_active
         AND r.target >= (rtrim(asked.prefix, '/') || '/') COLLATE "C" AND r.target < (rtrim(asked.prefix, '/') || '0') COLLATE "C"
         LIMIT ${String(TARGETS_PER_CHECK)}) AS rule
       LIMIT ${String(TARGETS_PER_CHECK)}`,
      [this.environmentId, siteId, prefixes],
    );
  }
}
