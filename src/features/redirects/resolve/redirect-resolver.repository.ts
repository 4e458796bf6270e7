import { limits } from '../../../../contracts/limits.js';
import type { RedirectStatus } from '../../../../contracts/resources/redirect.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { RedirectIndex, type RedirectHop } from './redirect-index.js';
import { canonicalPath, pathAndAncestors } from '../redirect-path.js';
import type { RedirectHits } from './redirect-hits.js';
import type { RedirectRule } from '../redirect-rule.js';

/** A path without a page. */
export interface RedirectQuery {
  readonly environmentId: string;
  readonly siteId: string;
  readonly locale: string;
  /** Without query and fragment. */
  readonly path: string;
  /** Pages win over redirects, so a chain ends at a page. If absent, pages are ignored. */
  isPage?(path: string): Promise<boolean>;
}

export interface ResolvedRedirect {
  readonly target: string;
  readonly status: RedirectStatus;
}

const columns = 'id, source, target, status, match_type AS "matchType", locale';
const scope = 'environment_id = $1 AND site_id = $2 AND is_active AND (locale IS NULL OR locale = $3)';

const bySource = {
  name: 'redirects_by_source',
  text: `SELECT ${columns} FROM redirects WHERE ${scope} AND source = ANY($4::text[]) AND match_type <> 'regex'`,
};
const patterns = {
  name: 'redirect_patterns',
  text: `SELECT ${columns} FROM redirects WHERE ${scope} AND match_type = 'regex' ORDER BY created_at, id`,
};

/** One temporary hop makes the chain temporary. */
function statusOf(hops: readonly RedirectHop[]): RedirectStatus {
  const first = hops[0]?.rule.status ?? 302;
  if (hops.every(({ rule }) => rule.status === 301 || rule.status === 308)) return first;
  return first === 301 || first === 302 ? 302 : 307;
}

/** Uses prepared statements of the read pool. */
export class RedirectResolver {
  /** @param hits counts followed redirects */
  constructor(
    private readonly pool: ReadPool,
    private readonly hits?: Pick<RedirectHits, 'count'>,
  ) {}

  /**
   * Follows chains for up to 10 hops (decisions 2.13). A loop, which patterns and prefixes can hide from the write
   * check, resolves to undefined.
   */
  async resolve(query: RedirectQuery): Promise<ResolvedRedirect | undefined> {
    const start = canonicalPath(query.path);
    if (typeof start !== 'string') return undefined;
    const seen = new Set([start]);
    const hops: RedirectHop[] = [];
    let patternRules: readonly RedirectRule[] | undefined;
    for (let path = start; hops.length < limits.redirectHops;) {
      if (hops.length > 0 && (await query.isPage?.(path)) === true) break;
      const rules = await this.#bySource(query, path);
      let hop = new RedirectIndex(rules).match(path, query.locale);
      if (hop === undefined) {
        patternRules ??= await this.#patterns(query);
        hop = new RedirectIndex(patternRules).match(path, query.locale);
      }
      if (hop === undefined) break;
      if (seen.has(hop.target)) return undefined;
      seen.add(hop.target);
      hops.push(hop);
      path = hop.target;
    }
    const last = hops.at(-1);
    if (last !== undefined)
      this.hits?.count(
        query.environmentId,
        hops.map(({ rule }) => rule.id),
      );
    return last && { target: last.target, status: statusOf(hops) };
  }

  #bySource({ environmentId, siteId, locale }: RedirectQuery, path: string): Promise<RedirectRule[]> {
    return this.pool.run<RedirectRule>(bySource, [environmentId, siteId, locale, pathAndAncestors(path)]);
  }

  #patterns({ environmentId, siteId, locale }: RedirectQuery): Promise<RedirectRule[]> {
    return this.pool.run<RedirectRule>(patterns, [environmentId, siteId, locale]);
  }
}
