import type { ReadPool } from '../../persistence/connections/read-pool.js';
import { RedirectResolver, type RedirectHits, type ResolvedRedirect } from '../redirects/index.js';
import type { RedirectQuestion, RouteQuery, RouteSource } from './route-source.js';

/** In a fallback locale a path counts only where the entry is not live in a better one, which has its own path. */
const liveAt = {
  name: 'route_live',
  text: `SELECT r.entry_id AS "entryId" FROM routes r
    WHERE r.environment_id = $1 AND r.site_id = $2 AND r.locale = ANY($3::text[]) AND r.path = $4 AND r.is_live
      AND NOT EXISTS (SELECT FROM routes better WHERE better.environment_id = $1 AND better.entry_id = r.entry_id
        AND better.is_live AND better.locale = ANY($3::text[])
        AND array_position($3::text[], better.locale) < array_position($3::text[], r.locale))
    ORDER BY array_position($3::text[], r.locale) LIMIT 1`,
};
const draftAt = {
  name: 'route_draft',
  text: `SELECT r.entry_id AS "entryId" FROM routes r
    WHERE r.environment_id = $1 AND r.site_id = $2 AND r.locale = ANY($3::text[]) AND r.own_path = $4
      AND r.entry_id IS NOT NULL
    ORDER BY array_position($3::text[], r.locale) LIMIT 1`,
};

/** Paths of one environment, from the read model by prepared statements. */
export class RouteReader implements RouteSource {
  readonly #redirects: RedirectResolver;

  constructor(
    private readonly pool: ReadPool,
    private readonly environmentId: string,
    hits?: RedirectHits,
  ) {
    this.#redirects = new RedirectResolver(pool, hits);
  }

  async entryAt({ siteId, locales, path, isPreview }: RouteQuery): Promise<string | undefined> {
    const values = [this.environmentId, siteId, locales, path];
    const [row] = await this.pool.run<{ entryId: string }>(isPreview ? draftAt : liveAt, values);
    return row?.entryId;
  }

  redirectAt(question: RedirectQuestion): Promise<ResolvedRedirect | undefined> {
    return this.#redirects.resolve({ environmentId: this.environmentId, ...question });
  }
}
