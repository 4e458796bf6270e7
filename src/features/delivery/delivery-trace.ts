import { limits } from '../../../contracts/limits.js';
import type { Catalog } from '../../content/catalog.js';
import type { StoredDocument } from './document.js';

/** What one answer was made of: the source of its cache headers. */
export class DeliveryTrace {
  readonly #entries = new Map<string, string>();
  readonly #types = new Set<string>();
  readonly #sites = new Set<string>();
  readonly #tags = new Set<string>();
  #isPreview = false;
  #isCounted = false;
  #maxAgeSeconds = 60;

  /** The answer depends on drafts, or could: it must not be stored. */
  markPreview(): void {
    this.#isPreview = true;
  }

  get isPreview(): boolean {
    return this.#isPreview;
  }

  /** The answer is counted each time, so this process must make it each time. */
  markCounted(): void {
    this.#isCounted = true;
  }

  get isCounted(): boolean {
    return this.#isCounted;
  }

  /** Shared caches may keep the answer this long. */
  keepFor(seconds: number): void {
    this.#maxAgeSeconds = seconds;
  }

  get maxAgeSeconds(): number {
    return this.#maxAgeSeconds;
  }

  /** The answer would be another one if what bears this tag (migration 0020) were. */
  dependOn(tag: string): void {
    this.#tags.add(tag);
  }

  /** Everything that the answer depends on, the environment as a whole included. */
  tags(environmentId: string): string[] {
    return [...this.#tags, `c:${environmentId}`];
  }

  /** The answer holds these documents. */
  addDocuments(documents: Iterable<StoredDocument>, catalog: Catalog): void {
    for (const { id, contentTypeId, siteId } of documents) {
      const type = catalog.contentTypeById(contentTypeId)?.apiName;
      this.#entries.set(id, id);
      if (type !== undefined) this.#types.add(type);
      const site = catalog.site(siteId)?.slug;
      if (site !== undefined) this.#sites.add(site);
    }
  }

  /** The answer lists a type, so a new entry of it changes the answer. */
  addType(apiName: string): void {
    this.#types.add(apiName);
  }

  addSite(slug: string): void {
    this.#sites.add(slug);
  }

  /** `Surrogate-Key` of specification section 8; without entry tags where they would not fit a header. */
  surrogateKey(projectSlug: string): string {
    const coarse = [
      ...[...this.#types].map((type) => `type:${type}`),
      ...[...this.#sites].map((site) => `site:${site}`),
      `project:${projectSlug}`,
    ];
    const fine = [...this.#entries.keys()].map((id) => `entry:${id}`);
    const all = [...fine, ...coarse].join(' ');
    if (all.length <= limits.surrogateKeyBytes) return all;
    const tags = coarse.join(' ');
    return tags.length <= limits.surrogateKeyBytes ? tags : `project:${projectSlug}`;
  }
}
