import { Catalog } from '../../../content/catalog.js';
import { purgeTags } from '../../../infrastructure/cache-tags.js';
import type { Coherence } from '../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';
import {
  addressOf,
  systemScope,
  type Memory,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import {
  CatalogRepository,
  memoryKey,
  type EnvironmentHeads,
  type EnvironmentName,
} from './catalog.repository.js';

export interface CatalogStoreParts {
  readonly heads: EnvironmentHeads;
  readonly units: UnitOfWorkFactory;
  readonly memory: Memory;
  readonly coherence: Coherence;
}

const MAXIMUM_BYTES = 256 * 1024 * 1024;
const CATALOG_BYTES = 256 * 1024;

/** Slugs have no slash and no space. */
function keyOf(projectSlug: string, environment: EnvironmentName): string {
  if (environment === null) return projectSlug;
  return typeof environment === 'string'
    ? `${projectSlug} ${environment}`
    : `${projectSlug}/${environment.slug}`;
}

/**
 * Every lookup reads the revision unless change notifications arrive. Own changes are visible before they are
 * acknowledged.
 */
export class CatalogStore {
  readonly #known: TaggedCache<Catalog>;

  constructor(private readonly parts: CatalogStoreParts) {
    this.#known = new TaggedCache(parts.coherence, MAXIMUM_BYTES);
  }

  peek(projectSlug: string, environment: EnvironmentName): Catalog | undefined {
    return this.parts.coherence.isFresh ? this.#known.get(keyOf(projectSlug, environment)) : undefined;
  }

  async find(projectSlug: string, environment: EnvironmentName): Promise<Catalog | undefined> {
    const { coherence } = this.parts;
    const known = this.peek(projectSlug, environment);
    if (known !== undefined) return known;
    const fill = coherence.begin();
    try {
      const catalog = await this.#read(projectSlug, environment);
      if (catalog !== undefined && fill !== undefined) {
        const tags = [purgeTags.environment(catalog.data.environment.id)];
        this.#known.store(keyOf(projectSlug, environment), catalog, { fill, tags, bytes: CATALOG_BYTES });
      }
      return catalog;
    } finally {
      if (fill !== undefined) coherence.end();
    }
  }

  async #read(projectSlug: string, environment: EnvironmentName): Promise<Catalog | undefined> {
    const { heads, memory, units } = this.parts;
    const head = await heads.find(projectSlug, environment);
    if (head === undefined) return undefined;
    const known = memory.get(memoryKey(head.environmentId));
    if (known instanceof Catalog && known.data.revision === head.revision) return known;
    return units.run(
      { scope: systemScope({ address: addressOf(head) }), isReadOnly: true, lock: 'none' },
      (work) => work.use(CatalogRepository).current(),
    );
  }
}
