import { Repository } from '../../../../persistence/repositories/repository.js';
import type { StoredRules } from './redirect-loops.js';
import {
  formatAddress,
  lookupParameters,
  parseAddress,
  type Address,
  pathAndAncestors,
} from '../redirect-address.js';
import { rulesWithQuery } from '../resolve/redirect-index.js';
import type { RedirectRule } from '../redirect-rule.js';

const columnsOf = (alias: string): string =>
  `${alias}.id, ${alias}.source, ${alias}.target, ${alias}.status, ${alias}.match_type AS "matchType",
    ${alias}.query_match AS "queryMatch", ${alias}.locale`;
const columns = columnsOf('r');

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

  /** Follows chains of exact redirects without a query inside the database. */
  async #reachableFrom(
    siteId: string,
    paths: readonly string[],
  ): Promise<{ paths: string[]; rules: RedirectRule[] }> {
    const reached = await this.query<{ path: string }>(
      `WITH RECURSIVE reached (path) AS (
         SELECT DISTINCT asked COLLATE "C" FROM unnest($3::text[]) AS asked
         UNION SELECT split_part(step.target, '#', 1) FROM reached CROSS JOIN LATERAL (
           SELECT r.target FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2
             AND r.source = split_part(reached.path, '?', 1) AND r.match_type = 'exact' AND r.is_active
             AND starts_with(r.target, '/') OFFSET 0) AS step
       ) SELECT path FROM reached`,
      [this.environmentId, siteId, paths],
    );
    const addresses = reached.map(({ path }) => parseAddress(path));
    const all = addresses.map(formatAddress);
    const sources = [...new Set(addresses.flatMap(({ path }) => pathAndAncestors(path)))];
    const rules = await this.query<RedirectRule>(
      `SELECT rule.* FROM unnest($3::text[]) AS asked (source) CROSS JOIN LATERAL (
         SELECT ${columns} FROM redirects r WHERE r.environment_id = $1 AND r.site_id = $2
           AND r.source = asked.source COLLATE "C" AND r.match_type <> 'regex' AND r.is_active OFFSET 0) AS rule`,
      [this.environmentId, siteId, sources],
    );
    return { paths: all, rules: [...rules, ...(await this.#rulesWithQuery(siteId, addresses))] };
  }

  async #rulesWithQuery(siteId: string, addresses: readonly Address[]): Promise<RedirectRule[]> {
    const asked = addresses
      .filter(({ parameters }) => parameters.length > 0)
      .map((address) => ({ path: address.path, parameters: lookupParameters(address) }));
    if (asked.length === 0) return [];
    const where = 'environment_id = $1 AND site_id = $2 AND is_active';
    const lookup = {
      columns: columnsOf('redirects'),
      where,
      path: 'asked.path',
      parameters: 'asked.parameters',
    };
    return this.query<RedirectRule>(
      `SELECT DISTINCT rule.* FROM jsonb_to_recordset($3::jsonb) AS asked (path text, parameters text[])
         CROSS JOIN LATERAL (${rulesWithQuery(lookup)}) AS rule`,
      [this.environmentId, siteId, JSON.stringify(asked)],
    );
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
