import type { PageFacts } from './survey.js';

export interface PageLevels {
  /** Keys by depth, siblings in order. */
  readonly levels: readonly (readonly string[])[];
  /** Keys of pages in or below a cycle of parents. */
  readonly cyclic: ReadonlySet<string>;
}

/** By position, then by line. */
export const bySiblingOrder =
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
