import type { Page } from '../../../../../contracts/envelopes.js';
import type { StatementReader } from '../../../../persistence/connections/read-pool.js';
import type { RedirectRule } from '../redirect-rule.js';
import { allowedPatterns, allowedTargetSql } from '../redirect-target.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** Hits since the last flush. */
export interface RedirectHit {
  readonly environmentId: string;
  readonly id: string;
  readonly count: number;
  readonly at: Date;
}

/** Hit counters of all tenants; requires platform work. */
export class RedirectHitRepository extends Repository {
  /** One statement; deleted redirects are ignored. */
  async add(hits: readonly RedirectHit[]): Promise<void> {
    await this.query('SELECT count_redirect_hits($1::jsonb) IS NULL AS counted', [JSON.stringify(hits)]);
  }
}

export interface ActiveRedirectQuery {
  readonly siteId: string;
  /** Redirects of this locale and of every locale; null lists all. */
  readonly locale: string | null;
  /** Hosts that targets may name; null means every host. */
  readonly allowedTargets: readonly string[] | null;
  readonly limit: number;
  readonly offset: number;
}

export type ActiveRedirect = Omit<RedirectRule, 'id'>;

const where = `environment_id = $1 AND site_id = $2 AND is_active AND ($3::text IS NULL OR locale IS NULL OR locale = $3)
  AND ${allowedTargetSql('$4')}`;
/** Of a source path, that with more parameters comes first. */
const sourcePath = "CASE match_type WHEN 'exact' THEN split_part(source, '?', 1) ELSE source END";
const page = {
  name: 'active_redirects',
  text: `SELECT source, target, status, match_type AS "matchType", query_match AS "queryMatch", locale FROM redirects WHERE ${where}
    ORDER BY array_position('{exact,prefix,regex}', match_type), CASE match_type WHEN 'prefix' THEN -octet_length(source) END,
      CASE match_type WHEN 'regex' THEN created_at END, CASE match_type WHEN 'regex' THEN id END, ${sourcePath},
      CASE match_type WHEN 'exact' THEN length(replace(source, '=', '')) - length(source) END, source, locale
    LIMIT $5 OFFSET $6`,
};
const count = {
  name: 'active_redirects_count',
  text: `SELECT count(*)::int AS total FROM redirects WHERE ${where}`,
};

/** Redirects of one environment in the order in which they apply: exact, longest prefix, patterns by creation. */
export class ActiveRedirects {
  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
  ) {}

  async list({
    siteId,
    locale,
    allowedTargets,
    limit,
    offset,
  }: ActiveRedirectQuery): Promise<Page<ActiveRedirect>> {
    const scope = [this.environmentId, siteId, locale, allowedPatterns(allowedTargets)];
    const [items, [counted]] = await Promise.all([
      this.pool.run<ActiveRedirect>(page, [...scope, limit, offset]),
      this.pool.run<{ total: number }>(count, scope),
    ]);
    return { items, total: counted?.total ?? 0 };
  }
}
