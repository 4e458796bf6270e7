import type { PageFacts } from './survey.js';

/** The pages of a file as a tree. */
export interface PageLevels {
  /** Keys by depth, those without a parent in the file first; siblings in their order. */
  readonly levels: readonly (readonly string[])[];
  /** Keys of pages whose parents lead back to themselves, and of what hangs below them. */
  readonly looped: readonly string[];
}

/** Orders siblings: by position, and where two say the same by their lines. */
export const bySiblingOrder =
  (facts: ReadonlyMap<string, PageFacts>) =>
  (one: string, other: string): number => {
    const [a, b] = [facts.get(one), facts.get(other)];
    return (a?.position ?? 0) - (b?.position ?? 0) || (a?.leadingLine ?? 0) - (b?.leadingLine ?? 0);
  };

/** Sorts pages so that every parent comes before its children. A parent outside the file ends the way up. */
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
  return { levels, looped: [...facts.keys()].filter((key) => !reached.has(key)) };
}
