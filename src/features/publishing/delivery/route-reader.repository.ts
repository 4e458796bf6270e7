import type { Page } from '../../../../contracts/envelopes.js';
import type { StatementReader } from '../../../persistence/connections/read-pool.js';
import {
  ActiveRedirects,
  RedirectResolver,
  type ActiveRedirect,
  type ActiveRedirectQuery,
  type RedirectHits,
  type ResolvedRedirect,
} from '../../routing/redirects/index.js';
import {
  pathKey,
  type FoundEntry,
  type PathQuery,
  type PathRead,
  type RedirectQuestion,
  type RouteQuery,
  type RouteSource,
} from './route-source.js';

type PathRow = PathRead & Pick<PathQuery, 'entryId' | 'locale'>;

/** Another page has the path of row `r`: its own path in the locale, or that of a better fallback. */
const isShadowed = `(r.served_rank > 1 AND EXISTS (SELECT FROM routes o WHERE o.environment_id = r.environment_id
  AND o.site_id = r.site_id AND o.locale = r.locale AND o.served_path = r.served_path
  AND (o.served_rank, o.entry_id) < (r.served_rank, r.entry_id)))`;

/**
 * In a fallback locale a path counts only where the entry is not live in a better one, which has its own path. It then
 * redirects to the route in the requested locale, if there is one.
 */
const liveAt = {
  name: 'route_live',
  text: `SELECT found.entry_id AS "entryId", own.path AS "canonicalPath", coalesce(own.is_shadowed, false) AS "isShadowed"
    FROM (SELECT r.entry_id, r.locale FROM routes r
      WHERE r.environment_id = $1 AND r.site_id = $2 AND r.locale = ANY($3::text[]) AND r.served_path = $4
        AND (r.locale = ($3::text[])[1] OR (r.is_live AND NOT EXISTS (SELECT FROM routes better
          WHERE better.environment_id = $1 AND better.entry_id = r.entry_id AND better.is_live
            AND better.locale = ANY($3::text[])
            AND array_position($3::text[], better.locale) < array_position($3::text[], r.locale))))
      ORDER BY array_position($3::text[], r.locale), r.served_rank, r.entry_id LIMIT 1) AS found
      LEFT JOIN LATERAL (SELECT r.served_path AS path, ${isShadowed} AS is_shadowed FROM routes r
        WHERE r.environment_id = $1 AND r.entry_id = found.entry_id AND r.locale = ($3::text[])[1] AND r.site_id = $2
          AND found.locale <> r.locale) AS own ON true`,
};
/** `OFFSET 0` forces index lookups. */
const livePaths = {
  name: 'route_paths',
  text: `SELECT w.id AS "entryId", w.locale, r.site_id AS "siteId", r.served_path AS path, r.served_rank > 1 AS "isFallback",
      ${isShadowed} AS "isShadowed"
    FROM unnest($2::uuid[], $3::text[]) AS w (id, locale) CROSS JOIN LATERAL (SELECT r.* FROM routes r
      WHERE r.environment_id = $1 AND r.entry_id = w.id AND r.locale = w.locale AND r.served_path IS NOT NULL OFFSET 0) AS r`,
};
/** What is not served yet has the path that it will have in the locale, made of slugs of its fallbacks where it has none. */
const draftPaths = {
  name: 'route_draft_paths',
  text: `SELECT w.id AS "entryId", w.locale, r.site_id AS "siteId", r.path, false AS "isFallback", false AS "isShadowed"
    FROM unnest($2::uuid[], $3::text[], $4::text[]) AS w (id, locale, shown) CROSS JOIN LATERAL (
      SELECT r.site_id, CASE WHEN r.locale = w.locale THEN coalesce(r.served_path, r.path) ELSE r.own_path END AS path
      FROM routes r WHERE r.environment_id = $1 AND r.entry_id = w.id AND (r.locale = w.locale OR r.locale = w.shown)
      ORDER BY r.locale = w.locale DESC) AS r
    WHERE r.path IS NOT NULL`,
};
const draftAt = {
  name: 'route_draft',
  text: `SELECT r.entry_id AS "entryId", NULL AS "canonicalPath", false AS "isShadowed" FROM routes r
    WHERE r.environment_id = $1 AND r.site_id = $2 AND r.entry_id IS NOT NULL AND r.locale = ANY($3::text[])
      AND (r.own_path = $4 OR (r.locale = ($3::text[])[1] AND r.served_path = $4)
        OR (r.locale = ($3::text[])[1] AND NOT r.is_own AND r.served_path IS NULL AND r.path = $4
          AND EXISTS (SELECT FROM routes w WHERE w.environment_id = $1 AND w.entry_id = r.entry_id
            AND w.locale = ANY($3::text[]) AND w.is_own)))
    ORDER BY array_position($3::text[], r.locale), r.own_path IS NULL, r.served_rank, r.entry_id LIMIT 1`,
};

/** Paths of one environment, from the read model by prepared statements. */
export class RouteReader implements RouteSource {
  readonly #redirects: RedirectResolver;

  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
    hits?: RedirectHits,
  ) {
    this.#redirects = new RedirectResolver(pool, hits);
  }

  async entryAt({ siteId, locales, path, isPreview }: RouteQuery): Promise<FoundEntry | undefined> {
    const values = [this.environmentId, siteId, locales, path];
    const [row] = await this.pool.run<FoundEntry>(isPreview ? draftAt : liveAt, values);
    return row;
  }

  async pathsOf(queries: readonly PathQuery[], isPreview: boolean): Promise<ReadonlyMap<string, PathRead>> {
    if (queries.length === 0) return new Map();
    const values = [
      this.environmentId,
      queries.map(({ entryId }) => entryId),
      queries.map(({ locale }) => locale),
    ];
    const rows = await (isPreview
      ? this.pool.run<PathRow>(draftPaths, [...values, queries.map(({ servedLocale }) => servedLocale)])
      : this.pool.run<PathRow>(livePaths, values));
    // The requested locale comes first.
    return new Map(
      rows.reverse().map(({ entryId, locale, ...place }) => [pathKey({ entryId, locale }), place]),
    );
  }

  redirectAt(question: RedirectQuestion): Promise<ResolvedRedirect | undefined> {
    return this.#redirects.resolve({ environmentId: this.environmentId, ...question });
  }

  listRedirects(query: ActiveRedirectQuery): Promise<Page<ActiveRedirect>> {
    return new ActiveRedirects(this.pool, this.environmentId).list(query);
  }
}
