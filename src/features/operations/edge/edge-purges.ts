import { surrogateKeys } from '../../../infrastructure/cache-tags.js';
import type { EdgeClient } from '../../../infrastructure/edge/edge-client.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { EdgePurgeRepository, type NotedPurge, type TaggedIds } from './edge-purge.repository.js';

/** Notes of one round. */
const AT_ONCE = 500;
/**
 * A purge is sent twice. In between, a response may have come from a process that had not heard of the change yet, and
 * be in the cache; all have by then.
 */
const AGAIN_SECONDS = 2;
const MOST_PAUSE_SECONDS = 60;

/** Ids in the tags that begin with one of some letters. */
const idsOf = (tags: readonly string[], ...letters: readonly string[]): string[] =>
  tags.flatMap((tag) => (letters.includes(tag.slice(0, 2)) ? [tag.split(':')[1] ?? ''] : []));

/** The ids that surrogate keys need names for. Tags of search and of slugs have no key: other tags come with them. */
const taggedIds = (tags: readonly string[]): TaggedIds => ({
  contentTypes: idsOf(tags, 'l:'),
  sites: idsOf(tags, 'p:', 'P:', 'r:', 't:'),
  environments: idsOf(tags, 'c:'),
  apiKeys: idsOf(tags, 'k:'),
});

async function keysOf(work: UnitOfWork, purges: readonly NotedPurge[]): Promise<Set<string>> {
  const keys = new Set<string>();
  const all = purges.flatMap(({ tags }) => tags);
  for (const id of idsOf(all, 'e:', 'n:'))
    keys.add(surrogateKeys.entry(id)).add(surrogateKeys.shortEntry(id));
  for (const id of idsOf(all, 'a:')) keys.add(surrogateKeys.media(id)).add(surrogateKeys.shortMedia(id));
  const byTenant = Map.groupBy(purges, ({ tenantId }) => tenantId);
  for (const [tenantId, own] of byTenant) {
    if (tenantId === null) continue;
    const ids = taggedIds([...new Set(own.flatMap(({ tags }) => tags))]);
    const { types, sites, projects } = await work.use(EdgePurgeRepository).names(tenantId, ids);
    for (const name of types) keys.add(surrogateKeys.type(name));
    for (const slug of sites) keys.add(surrogateKeys.site(slug));
    for (const slug of projects) keys.add(surrogateKeys.project(slug));
  }
  return keys;
}

interface EdgePurgesParts {
  readonly units: UnitOfWorkFactory;
  /** Undefined: no cache is purged. */
  readonly edge: EdgeClient | undefined;
}

/** Purges caches in front of the service of what changed, in any process and by any operation. */
export class EdgePurges {
  #isNoting = false;
  #failures = 0;
  /** By the clock of the process. */
  #pausesUntil = 0;
  #isStopping = false;

  constructor(private readonly parts: EdgePurgesParts) {}

  stop(): void {
    this.#isStopping = true;
  }

  /**
   * Sends what is due. A failure postpones what it concerns.
   * @returns how many notes were sent
   */
  async run(): Promise<number> {
    const { edge } = this.parts;
    if (!this.#isNoting) {
      await this.#inPlatform((work) => work.use(EdgePurgeRepository).note(edge !== undefined));
      this.#isNoting = true;
    }
    if (edge === undefined || performance.now() < this.#pausesUntil) return 0;
    let sent = 0;
    for (let made = AT_ONCE; made === AT_ONCE && !this.#isStopping; sent += made)
      made = await this.#round(edge);
    return sent;
  }

  prune(): Promise<void> {
    return this.#inPlatform((work) => work.use(EdgePurgeRepository).prune());
  }

  async #round(edge: EdgeClient): Promise<number> {
    const { purges, keys } = await this.#inPlatform(async (work) => {
      const claimed = await work.use(EdgePurgeRepository).claim(AT_ONCE);
      return { purges: claimed, keys: await keysOf(work, claimed) };
    });
    if (purges.length === 0) return 0;
    const ids = purges.map(({ id }) => id);
    try {
      if (keys.size > 0) await edge.purge([...keys]);
    } catch {
      // The neighbour has reported it.
      const pause = Math.min(2 ** this.#failures, MOST_PAUSE_SECONDS);
      this.#failures += 1;
      this.#pausesUntil = performance.now() + pause * 1000;
      await this.#inPlatform((work) => work.use(EdgePurgeRepository).postpone(ids, pause));
      return 0;
    }
    this.#failures = 0;
    await this.#inPlatform((work) => work.use(EdgePurgeRepository).settle(ids, AGAIN_SECONDS));
    return purges.length;
  }

  #inPlatform<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope: systemScope(), isReadOnly: false, lock: 'none' }, run);
  }
}
