/** Names of `before` that a shortest way to the order of `after` moves. Names that only one list has do not count. */
export function movedNames(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((name, index) => [name, index]));
  const common = after.filter((name) => places.has(name));
  /** For each name, the longest chain of increasing places that ends with it. */
  const chains: string[][] = [];
  for (const name of common) {
    const place = places.get(name) ?? 0;
    const best = chains
      .filter((chain) => (places.get(chain.at(-1) ?? '') ?? 0) < place)
      .reduce<string[]>((longest, chain) => (chain.length > longest.length ? chain : longest), []);
    chains.push([...best, name]);
  }
  const kept = new Set(
    chains.reduce<string[]>((longest, chain) => (chain.length > longest.length ? chain : longest), []),
  );
  return new Set(common.filter((name) => !kept.has(name)));
}
