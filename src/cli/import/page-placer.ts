import type { PageFacts } from './survey.js';
import type { OperationsClient } from '../client/operations-client.js';
import { isAppError } from '../client/rest-operations.js';
import { LineProblem } from './read-lines.js';
import type { StoredPage } from './stored-pages.js';

/**
 * Indexes of a longest subsequence that rises: what may stay where it is while a list is sorted with
 * as few moves as that takes.
 */
function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
  // For every length the index at which a rise of that length ends lowest, and what came before each.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let length = 0;
    for (let high = ends.length; length < high;) {
      const middle = (length + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) length = middle + 1;
      else high = middle;
    }
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.push(index);
  return new Set(rise.reverse());
}

interface PageLevels {
  /** Keys by depth, siblings in order. */
  readonly levels: readonly (readonly string[])[];
  /** Keys of pages in or below a cycle of parents. */
  readonly cyclic: ReadonlySet<string>;
}

/** By position, then by line. */
const bySiblingOrder =
  (facts: ReadonlyMap<string, PageFacts>) =>
  (one: string, other: string): number => {
    const [a, b] = [facts.get(one), facts.get(other)];
    return (a?.position ?? 0) - (b?.position ?? 0) || (a?.leadingLine ?? 0) - (b?.leadingLine ?? 0);
  };

/** Sorts pages so that every parent is before its children. A parent outside the file counts as none. */
export function levelsOf(facts: ReadonlyMap<string, PageFacts>): PageLevels {
  const childrenOf = Map.groupBy(facts.keys(), (key) => {
    const parent = facts.get(key)?.parent ?? null;
    return parent !== null && facts.has(parent) ? parent : null;
  });
  const levels: string[][] = [];
  const reached = new Set<string>();
  for (let level = childrenOf.get(null) ?? []; level.length > 0;) {
    levels.push(level.sort(bySiblingOrder(facts)));
    for (const key of level) reached.add(key);
    level = level.flatMap((key) => childrenOf.get(key) ?? []);
  }
  return { levels, cyclic: new Set([...facts.keys()].filter((key) => !reached.has(key))) };
}

interface PlacerOptions {
  readonly client: OperationsClient;
  readonly projectSlug: string;
  readonly siteId: string;
  readonly siteSlug: string;
  /** By key. */
  readonly stored: ReadonlyMap<string, StoredPage>;
  readonly facts: ReadonlyMap<string, PageFacts>;
}

/** Moves pages to their position in the file. */
export class PagePlacer {
  /** Pages that were moved or added to the tree. */
  readonly moved = new Set<string>();

  constructor(private readonly options: PlacerOptions) {}

  /**
   * @returns null for the root
   * @throws LineProblem when its parent has no node
   */
  parentNodeOf(key: string): string | null {
    const { facts, stored } = this.options;
    const parent = facts.get(key)?.parent ?? null;
    if (parent === null) return null;
    if (!facts.has(parent) && !stored.has(parent))
      throw new LineProblem(`has the parent ${parent}, which is not a page`);
    const nodeId = stored.get(parent)?.nodeId ?? null;
    if (nodeId === null) throw new LineProblem(`its parent ${parent} could not be created`);
    return nodeId;
  }

  async placeBelowParent(key: string): Promise<void> {
    const { client, projectSlug, siteId, stored } = this.options;
    const page = stored.get(key);
    if (page === undefined) return;
    const parentId = this.parentNodeOf(key);
    if (page.nodeId === null) {
      const place = { projectSlug, siteId, parentId, entryId: page.id };
      page.nodeId = (await client.call('tree', 'createNode', place)).data.id;
    } else if (page.parentNodeId !== parentId) {
      await client.call('tree', 'moveNode', { projectSlug, id: page.nodeId, parentId });
    } else return;
    page.parentNodeId = parentId;
    this.moved.add(key);
  }

  /**
   * Sorts siblings with as few moves as possible; other nodes among them stay.
   * @param failed called for pages that could not be moved
   */
  async order(failed: (key: string, error: unknown) => void): Promise<void> {
    const { facts, stored } = this.options;
    const places = await this.#places();
    const placed = [...facts.keys()].filter((key) => places.has(stored.get(key)?.nodeId ?? ''));
    for (const siblings of Map.groupBy(placed, (key) => stored.get(key)?.parentNodeId).values()) {
      const wanted = siblings.sort(bySiblingOrder(facts));
      const ranks = wanted.map((key) => places.get(stored.get(key)?.nodeId ?? '') ?? 0);
      const kept = longestIncreasingSubsequence(ranks);
      const anchor = wanted[[...kept][0] ?? 0];
      for (const [index, key] of wanted.entries()) {
        if (kept.has(index)) continue;
        const before = wanted[index - 1];
        await this.#moveBeside(key, before === undefined ? { before: anchor } : { after: before }).catch(
          (error: unknown) => {
            failed(key, error);
          },
        );
      }
    }
  }

  async #moveBeside(key: string, { before, after }: { before?: string | undefined; after?: string }) {
    const { client, projectSlug, stored } = this.options;
    const page = stored.get(key);
    const nodeOf = (sibling: string | undefined) => stored.get(sibling ?? '')?.nodeId ?? undefined;
    if (page === undefined || page.nodeId === null) return;
    await client.call('tree', 'moveNode', {
      projectSlug,
      id: page.nodeId,
      parentId: page.parentNodeId,
      ...(after === undefined ? { beforeId: nodeOf(before) } : { afterId: nodeOf(after) }),
    });
    this.moved.add(key);
  }

  /** Position in reading order by node; empty for a tree too large to be read at once. */
  async #places(): Promise<Map<string, number>> {
    const { client, projectSlug, siteSlug } = this.options;
    try {
      const { data } = await client.call('tree', 'get', { projectSlug, siteSlug, flat: true });
      return new Map(data.map(({ id }, index) => [id, index]));
    } catch (error) {
      if (isAppError(error, 'limit_reached')) return new Map();
      throw error;
    }
  }
}
