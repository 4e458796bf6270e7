import { Catalog } from '../../content/catalog.js';
import { purgeTags } from '../../infrastructure/cache-tags.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { TaggedCache } from '../../infrastructure/tagged-cache.js';
import {
  addressOf,
  systemScope,
  type Memory,
  type UnitOfWorkFactory,
} from '../../persistence/work/unit-of-work.js';
import { CatalogRepository, memoryKey } from './catalog.repository.js';
import type { EnvironmentHeads } from './environment-head.repository.js';

export interface CatalogStoreParts {
  readonly heads: EnvironmentHeads;
  readonly units: UnitOfWorkFactory;
  readonly memory: Memory;
  readonly coherence: Coherence;
}

const MAXIMUM_BYTES = 256 * 1024 * 1024;
const CATALOG_BYTES = 256 * 1024;

const keyOf = (projectSlug: string, environmentId: string | null): string =>
  environmentId === null ? projectSlug : `${projectSlug} ${environmentId}`;

/**
 * Every lookup reads the revision unless change notifications arrive. Own changes are visible before they are
 * acknowledged.
 */
export class CatalogStore {
  readonly #known: TaggedCache<Catalog>;

  constructor(private readonly parts: CatalogStoreParts) {
    this.#known = new TaggedCache(parts.coherence, MAXIMUM_BYTES);
  }

  /** @param environmentId null for the project's default environment */
  peek(projectSlug: string, environmentId: string | null): Catalog | undefined {
    return this.parts.coherence.isFresh ? this.#known.get(keyOf(projectSlug, environmentId)) : undefined;
  }

  /** @param environmentId null for the default environment */
  async find(projectSlug: string, environmentId: string | null): Promise<Catalog | undefined> {
    const { coherence } = this.parts;
    const known = this.peek(projectSlug, environmentId);
    if (known !== undefined) return known;
    const fill = coherence.begin();
    try {
      const catalog = await this.#read(projectSlug, environmentId);
      if (catalog !== undefined && fill !== undefined) {
        const tags = [purgeTags.environment(catalog.data.environment.id)];
        this.#known.store(keyOf(projectSlug, environmentId), catalog, { fill, tags, bytes: CATALOG_BYTES });
      }
      return catalog;
    } finally {
      if (fill !== undefined) coherence.end();
    }
  }

  async #read(projectSlug: string, environmentId: string | null): Promise<Catalog | undefined> {
    const { heads, memory, units } = this.parts;
    const head = await heads.find(projectSlug, environmentId);
    if (head === undefined) return undefined;
    const known = memory.get(memoryKey(head.environmentId));
    if (known instanceof Catalog && known.data.revision === head.revision) return known;
    return units.run(
      { scope: systemScope({ address: addressOf(head) }), isReadOnly: true, lock: 'none' },
      (work) => work.use(CatalogRepository).current(),
    );
  }
}
