import { limits } from '../../../../contracts/limits.js';
import type { RedirectStatus } from '../../../../contracts/resources/redirect.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';
import { RedirectIndex, type RedirectHop } from './redirect-index.js';
import { canonicalPath, pathAndAncestors } from '../redirect-path.js';
import type { RedirectHits } from './redirect-hits.js';
import type { RedirectRule } from '../redirect-rule.js';

/** A path that no page answers. */
export interface RedirectQuery {
  readonly environmentId: string;
  readonly siteId: string;
  readonly locale: string;
  /** As it was asked for; query and fragment are off already. */
  readonly path: string;
  /**
   * Whether a page answers a path. Pages come before redirects, so a chain ends where one stands;
   * without it chains are followed past pages.
   */
  isPage?(path: string): Promise<boolean>;
}

/** Where a path leads in the end. */
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

/** The status of a whole chain: one step that is not for ever makes all of it temporary. */
function statusOf(hops: readonly RedirectHop[]): RedirectStatus {
  const first = hops[0]?.rule.status ?? 302;
  if (hops.every(({ rule }) => rule.status === 301 || rule.status === 308)) return first;
  return first === 301 || first === 302 ? 302 : 307;
}

/** Resolves paths to redirects for delivery, by prepared statements of the reader. */
export class RedirectResolver {
  /** @param hits told of every redirect that is followed; absent where nobody counts */
  constructor(
    private readonly pool: ReadPool,
    private readonly hits?: Pick<RedirectHits, 'count'>,
  ) {}

  /**
   * Exact redirects come first, then the longest prefix, then patterns in the order of their creation
   * (decisions 2.13). Chains are followed to their last target, for at most 10 steps. A circle, which
   * only patterns and prefixes could hide from the check at writing, leads nowhere.
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
