/** Shorter secrets are ignored: ordinary words would match them. */
export const shortestNeedle = 12;

// Access to a global is slow in jest, and this runs for each byte.
const { imul } = Math;
const BASE = 0x01000193;
const oldestFactor = Array.from({ length: shortestNeedle }).reduce<number>((factor) => imul(factor, BASE), 1);

/** A larger filter has fewer false positives. */
const FILTER_BITS = 18;
const slot = (hash: number): number => (hash ^ (hash >>> 13)) >>> (32 - FILTER_BITS);

const hashOf = (bytes: Uint8Array): number => bytes.reduce((hash, byte) => (imul(hash, BASE) + byte) | 0, 0);

interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Searches for many strings at once with a Rabin–Karp rolling hash over their last bytes: linear in the length
 * of the data, not the number of strings.
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

  /** Names of the strings found. */
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
