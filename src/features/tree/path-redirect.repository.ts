import type { PathMeta } from '../../../contracts/resources/tree-node.js';
import { publicPath } from '../../content/route-path.js';
import { Repository } from '../../persistence/repositories/repository.js';
import { CatalogRepository } from '../catalog/index.js';
import { AutoRedirectRepository } from '../redirects/index.js';
import type { PathChange } from './route.repository.js';

/** Redirects after path changes. */
export class PathRedirectRepository extends Repository {
  /** Redirects old paths of published pages, except `/`, which always belongs to the home. */
  async redirect(changes: readonly PathChange[], createRedirects: boolean): Promise<PathMeta> {
    if (changes.some(({ isLive }) => isLive)) this.bound.log.notePublicPath();
    const affected = new Set(changes.map(({ nodeId }) => nodeId)).size;
    const live = createRedirects ? changes.filter(({ isLive, from }) => isLive && from !== '/') : [];
    if (live.length === 0) return { affected, redirectsCreated: 0 };
    const catalog = await new CatalogRepository(this.bound).current();
    const moves = live.flatMap(({ siteId, locale, from, to }) => {
      const site = catalog.site(siteId);
      if (site === undefined) return [];
      const publicForm = (path: string) => publicPath(site, locale, path);
      return [{ siteId, locale, from: publicForm(from), to: publicForm(to) }];
    });
    return { affected, redirectsCreated: await new AutoRedirectRepository(this.bound).redirectMoves(moves) };
  }
}
