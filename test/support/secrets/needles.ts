/** Secrets shorter than this are not looked for: chance and ordinary words would find them. */
export const shortestNeedle = 12;

// In jest every look at a global is slow, and this is asked for each byte.
const { imul } = Math;
const BASE = 0x01000193;
const oldestFactor = Array.from({ length: shortestNeedle }).reduce<number>((factor) => imul(factor, BASE), 1);

/** How often each bucket of the filter is met by chance falls with its size. */
const FILTER_BITS = 18;
const slot = (hash: number): number => (hash ^ (hash >>> 13)) >>> (32 - FILTER_BITS);

const hashOf = (bytes: Uint8Array): number => bytes.reduce((hash, byte) => (imul(hash, BASE) + byte) | 0, 0);

interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Finds many texts at once: Rabin and Karp's rolling hash over the last bytes of each, so that a look costs the
 * length of what is looked at and not the number of what is looked for.
 */
export class Needles {
  readonly #filter = new Uint8Array(1 << FILTER_BITS);
  readonly #byHash = new Map<number, Needle[]>();

  /** @param bytes at least {@link shortestNeedle} */
  add(name: string, bytes: Buffer): void {
    const hash = hashOf(bytes.subarray(-shortestNeedle));
    this.#filter[slot(hash)] = 1;
    this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { name, bytes }]);
  }

  /** Names of the needles that stand somewhere in it. */
  in(hay: Buffer): ReadonlySet<string> {
    const found = new Set<string>();
    const filter = this.#filter;
    const { length } = hay;
    let hash = 0;
    for (let at = 0; at < length; at += 1) {
      const left = at < shortestNeedle ? 0 : imul(hay[at - shortestNeedle] ?? 0, oldestFactor);
      hash = (imul(hash, BASE) + (hay[at] ?? 0) - left) | 0;
      if (filter[slot(hash)] === 0) continue;
      for (const { name, bytes } of this.#byHash.get(hash) ?? [])
        if (at + 1 >= bytes.length && hay.subarray(at + 1 - bytes.length, at + 1).equals(bytes))
          found.add(name);
    }
    return found;
  }
}
