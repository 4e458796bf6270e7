import { LRUCache } from 'lru-cache';

/** Cache keys by the URL as received. Limited in bytes, since anyone can make up URLs. */
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
