import { limits } from '../../../../contracts/limits.js';
import type { Catalog } from '../../../content/catalog.js';
import { purgeTags, surrogateKeys } from '../../../infrastructure/cache-tags.js';
import type { StoredDocument } from './document.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { deliverAsset, type AssetUrls, type MediaSource } from '../../media/media/index.js';

/** What one response depends on: the source of its cache headers. */
export class DeliveryTrace {
  readonly #entries = new Map<string, string>();
  readonly #media = new Set<string>();
  readonly #types = new Set<string>();
  readonly #sites = new Set<string>();
  readonly #tags = new Set<string>();
  #isPreview = false;
  #isUnstored = false;
  #maxAgeSeconds = 60;

  /** The response depends on drafts, or could, and must not be stored. */
  markPreview(): void {
    this.#isPreview = true;
  }

  get isPreview(): boolean {
    return this.#isPreview;
  }

  /** The response must not be stored in the process: it is counted, or made for the host of its request. */
  markUnstored(): void {
    this.#isUnstored = true;
  }

  get isUnstored(): boolean {
    return this.#isUnstored;
  }

  /** Sets how long shared caches may keep the response. */
  keepFor(seconds: number): void {
    this.#maxAgeSeconds = seconds;
  }

  get maxAgeSeconds(): number {
    return this.#maxAgeSeconds;
  }

  /** A purge of this tag invalidates the response. */
  dependOn(tag: string): void {
    this.#tags.add(tag);
  }

  /** All tags, including the environment's. */
  tags(environmentId: string): string[] {
    return [...this.#tags, purgeTags.environment(environmentId)];
  }

  /** The response contains these documents; blocks count as their entry. */
  addDocuments(
    documents: Iterable<Pick<StoredDocument, 'id' | 'contentTypeId' | 'siteId' | 'ownerId'>>,
    catalog: Catalog,
  ): void {
    for (const { id: own, contentTypeId, siteId, ownerId } of documents) {
      const id = ownerId ?? own;
      const type = catalog.contentTypeById(contentTypeId)?.apiName;
      this.#entries.set(id, id);
      if (type !== undefined) this.#types.add(type);
      const site = catalog.site(siteId)?.slug;
      if (site !== undefined) this.#sites.add(site);
    }
  }

  /** The response shows these entries, or would if they were published. */
  addEntries(ids: Iterable<string>): void {
    for (const id of ids) this.#entries.set(id, id);
  }

  /** The response contains this asset, or would if it existed. */
  addMedia(id: string): void {
    this.#media.add(id);
    this.#tags.add(purgeTags.media(id));
  }

  /** The response lists a type: a new entry of it changes the response. */
  addType(apiName: string): void {
    this.#types.add(apiName);
  }

  addSite(slug: string): void {
    this.#sites.add(slug);
  }

  /**
   * `Surrogate-Key` of specification section 8: with short keys of entries and assets where there are many, without them
   * where they exceed the header.
   */
  surrogateKey(projectSlug: string): string {
    const coarse = [
      ...[...this.#types].map(surrogateKeys.type),
      ...[...this.#sites].map(surrogateKeys.site),
      surrogateKeys.project(projectSlug),
    ].join(' ');
    const { entry, media, shortEntry, shortMedia } = surrogateKeys;
    const full = `${this.#fine(entry, media)}${coarse}`;
    if (full.length <= limits.surrogateKeyBytes) return full;
    const short = `${this.#fine(shortEntry, shortMedia)}${coarse}`;
    if (short.length <= limits.surrogateKeyBytes) return short;
    return coarse.length <= limits.surrogateKeyBytes ? coarse : surrogateKeys.project(projectSlug);
  }

  #fine(entry: (id: string) => string, media: (id: string) => string): string {
    let keys = '';
    for (const id of this.#entries.keys()) keys += `${entry(id)} `;
    for (const id of this.#media) keys += `${media(id)} `;
    return keys;
  }
}

/**
 * Reads assets by id, along a chain of locales.
 * @param siteId omits assets of other sites
 */
export type ReadMedia = (
  ids: readonly string[],
  locales: readonly string[],
  siteId?: string,
) => Promise<ReadonlyMap<string, DeliveryMedia>>;

interface MediaRead {
  readonly trace: DeliveryTrace;
  readonly urls: AssetUrls;
  readonly projectSlug: string;
}

/** Reads assets in one statement. The response depends on each, also on those that do not exist. */
export function readMedia(source: MediaSource, { trace, urls, projectSlug }: MediaRead): ReadMedia {
  return async (given, locales, siteId) => {
    const ids = given.filter(isUuid);
    for (const id of ids) trace.addMedia(id);
    const assets = await source.byIds(ids, locales);
    for (const { override } of assets) if (override !== null) trace.addMedia(override.id);
    const place = { urls, projectSlug, locales };
    const shown = assets.filter(
      ({ siteIds }) => siteId === undefined || siteIds.length === 0 || siteIds.includes(siteId),
    );
    return new Map(shown.map((asset) => [asset.id, deliverAsset(asset, place)]));
  };
}
