import { LRUCache } from 'lru-cache';

/** Cache keys by raw URL. Bounded in bytes: clients can invent URLs. */
export class UrlKeys {
  readonly #keys: LRUCache<string, string>;

  constructor(maximumBytes: number) {
    this.#keys = new LRUCache({
      maxSize: Math.max(1, maximumBytes),
      sizeCalculation: (key, url) => 200 + 2 * (key.length + url.length),
    });
  }

  get bytes(): number {
    return this.#keys.calculatedSize;
  }

  get(url: string): string | undefined {
    return this.#keys.get(url);
  }

  set(url: string, key: string): void {
    this.#keys.set(url, key);
  }
}
