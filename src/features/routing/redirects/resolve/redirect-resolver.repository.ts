import { limits } from '../../../../../contracts/limits.js';
import type { RedirectStatus } from '../../../../../contracts/routing/redirects/redirect.js';
import type { StatementReader } from '../../../../persistence/connections/read-pool.js';
import { nextAddress, RedirectIndex, type RedirectHop, rulesWithQuery } from './redirect-index.js';
import {
  formatAddress,
  lookupParameters,
  parametersOf,
  parseAddress,
  splitTarget,
  canonicalPath,
  pathAndAncestors,
} from '../redirect-address.js';
import type { RedirectHits } from './redirect-hits.js';
import type { RedirectRule } from '../redirect-rule.js';
import { allowedPatterns, allowedTargetSql } from '../redirect-target.js';

/** A path without a page. */
export interface RedirectQuery {
  readonly environmentId: string;
  readonly siteId: string;
  readonly locale: string;
  /** Without query and fragment. */
  readonly path: string;
  readonly query: string;
  /** Hosts that targets may name; null means every host. */
  readonly allowedTargets: readonly string[] | null;
  /** Pages win over redirects, so a chain ends at a page. If absent, pages are ignored. */
  isPage?(path: string): Promise<boolean>;
}

/** Without a target, the path is gone. */
export type ResolvedRedirect =
  | { readonly target: string; readonly status: Exclude<RedirectStatus, 410> }
  | { readonly target: null; readonly status: 410 };

const columns = 'id, source, target, status, match_type AS "matchType", query_match AS "queryMatch", locale';
const scope = `environment_id = $1 AND site_id = $2 AND is_active AND (locale IS NULL OR locale = $3)
  AND ${allowedTargetSql('$4')}`;

const bySource = {
  name: 'redirects_by_source',
  text: `SELECT ${columns} FROM redirects WHERE ${scope} AND source = ANY($5::text[]) AND match_type <> 'regex'`,
};
const byQuery = {
  name: 'redirects_by_query',
  text: rulesWithQuery({ columns, where: scope, path: '$5', parameters: '$6' }),
};
const patterns = {
  name: 'redirect_patterns',
  text: `SELECT ${columns} FROM redirects WHERE ${scope} AND match_type = 'regex' ORDER BY created_at, id`,
};

/** One temporary hop makes the chain temporary. */
function statusOf(hops: readonly RedirectHop[]): Exclude<RedirectStatus, 410> {
  const { status = 302 } = hops[0]?.rule ?? {};
  const first = status === 410 ? 302 : status;
  if (hops.every(({ rule }) => rule.status === 301 || rule.status === 308)) return first;
  return first === 301 || first === 302 ? 302 : 307;
}

/** As a browser that follows each hop, a target without a fragment keeps the one before it. */
function resultOf(hops: readonly RedirectHop[]): ResolvedRedirect | undefined {
  const last = hops.at(-1);
  if (last === undefined) return undefined;
  if (last.target === null) return { target: null, status: 410 };
  const fragments = hops.map(({ target }) => splitTarget(target ?? '').fragment).filter((one) => one !== '');
  const { path, query } = splitTarget(last.target);
  return { target: path + query + (fragments.at(-1) ?? ''), status: statusOf(hops) };
}

/** Uses prepared statements of the read pool. */
export class RedirectResolver {
  /** @param hits counts followed redirects */
  constructor(
    private readonly pool: StatementReader,
    private readonly hits?: Pick<RedirectHits, 'count'>,
  ) {}

  /**
   * Follows chains for up to 10 hops (rule routing/redirect-targets). A loop, which patterns and prefixes can hide from the write
   * check, resolves to undefined.
   */
  async resolve(query: RedirectQuery): Promise<ResolvedRedirect | undefined> {
    const start = canonicalPath(query.path);
    if (typeof start !== 'string') return undefined;
    const from = formatAddress({ path: start, parameters: parametersOf(query.query) });
    const seen = new Set([from]);
    const hops: RedirectHop[] = [];
    let patternRules: readonly RedirectRule[] | undefined;
    for (let at = from; hops.length < limits.redirectHops;) {
      if (hops.length > 0 && (await query.isPage?.(splitTarget(at).path)) === true) break;
      const rules = await this.#bySource(query, at);
      let hop = new RedirectIndex(rules).match(at, query.locale);
      if (hop === undefined) {
        patternRules ??= await this.#patterns(query);
        hop = new RedirectIndex(patternRules).match(at, query.locale);
      }
      if (hop === undefined) break;
      const next = nextAddress(hop);
      if (next !== undefined && seen.has(next)) return undefined;
      hops.push(hop);
      if (next === undefined) break;
      seen.add(next);
      at = next;
    }
    if (hops.length > 0)
      this.hits?.count(
        query.environmentId,
        hops.map(({ rule }) => rule.id),
      );
    return resultOf(hops);
  }

  async #bySource(query: RedirectQuery, at: string): Promise<RedirectRule[]> {
    const address = parseAddress(at);
    const scoped = this.#scope(query);
    const rules = await this.pool.run<RedirectRule>(bySource, [...scoped, pathAndAncestors(address.path)]);
    if (address.parameters.length === 0) return rules;
    const named = [address.path, lookupParameters(address)];
    return [...rules, ...(await this.pool.run<RedirectRule>(byQuery, [...scoped, ...named]))];
  }

  #patterns(query: RedirectQuery): Promise<RedirectRule[]> {
    return this.pool.run<RedirectRule>(patterns, this.#scope(query));
  }

  #scope({ environmentId, siteId, locale, allowedTargets }: RedirectQuery): unknown[] {
    return [environmentId, siteId, locale, allowedPatterns(allowedTargets)];
  }
}
