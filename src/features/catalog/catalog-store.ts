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

/** What the store is made of. */
export interface CatalogStoreParts {
  readonly heads: EnvironmentHeads;
  readonly units: UnitOfWorkFactory;
  readonly memory: Memory;
  readonly coherence: Coherence;
}

/** What all catalogs in memory may weigh together, and one of them, roughly. */
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const CATALOG_BYTES = 256 * 1024;

/**
 * Catalogs by project slug, remembered while the database is heard: a change is known here before it is
 * acknowledged, elsewhere as soon as it is told. While it is not heard, every look-up asks for the revision.
 */
export class CatalogStore {
  readonly #known: TaggedCache<Catalog>;

  constructor(private readonly parts: CatalogStoreParts) {
    this.#known = new TaggedCache(parts.coherence, MAXIMUM_BYTES);
  }

  /** The catalog of a project's default environment, if it is remembered. */
  remembered(projectSlug: string): Catalog | undefined {
    return this.parts.coherence.isFresh ? this.#known.get(projectSlug) : undefined;
  }

  /** The catalog of a project's default environment; undefined where there is no such project. */
  async find(projectSlug: string): Promise<Catalog | undefined> {
    const { coherence } = this.parts;
    const known = this.remembered(projectSlug);
    if (known !== undefined) return known;
    const fill = coherence.begin();
    try {
      const catalog = await this.#read(projectSlug);
      if (catalog !== undefined && fill !== undefined) {
        const tags = [purgeTags.environment(catalog.data.environment.id)];
        this.#known.store(projectSlug, catalog, { fill, tags, bytes: CATALOG_BYTES });
      }
      return catalog;
    } finally {
      if (fill !== undefined) coherence.end();
    }
  }

  async #read(projectSlug: string): Promise<Catalog | undefined> {
    const { heads, memory, units } = this.parts;
    const head = await heads.find(projectSlug);
    if (head === undefined) return undefined;
    const known = memory.get(memoryKey(head.environmentId));
    if (known instanceof Catalog && known.data.revision === head.revision) return known;
    return units.run(
      { scope: systemScope({ address: addressOf(head) }), isReadOnly: true, lock: 'none' },
      (work) => work.use(CatalogRepository).current(),
    );
  }
}
