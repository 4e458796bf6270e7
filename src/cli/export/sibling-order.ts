export interface SiblingMove {
  readonly id: string;
  /** The sibling before it; null puts it first. */
  readonly afterId: string | null;
}

/** Indexes of the longest part of numbers that ascends. */
function longestAscent(numbers: readonly number[]): Set<number> {
  /** By length of an ascent less one: the index of the smallest number that ends one. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const ascent = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) ascent.add(index);
  return ascent;
}

/** The fewest moves, one after the other, that bring siblings into an order. Those with another parent move as well. */
export function movesInto(wanted: readonly string[], present: readonly string[]): SiblingMove[] {
  const places = new Map(present.map((id, place) => [id, place]));
  const known = wanted.filter((id) => places.has(id));
  const ascent = longestAscent(known.map((id) => places.get(id) ?? 0));
  const kept = new Set(known.filter((_, index) => ascent.has(index)));
  return wanted.flatMap((id, index) => (kept.has(id) ? [] : [{ id, afterId: wanted[index - 1] ?? null }]));
}
