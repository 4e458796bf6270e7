import DataLoader from 'dataloader';
import type { ReadMedia } from '../../../features/publishing/delivery/index.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { mapDatabaseErrors, mediaOf, type OperationScope } from '../../../procedures/index.js';

export type MediaLoader = DataLoader<string, DeliveryMedia | undefined>;

/** Assets that one request reads: the ids of one tick and locale chain in one statement. */
export class RequestMedia {
  readonly #loaders = new Map<string, MediaLoader>();

  constructor(private readonly scope: OperationScope) {}

  loader(locales: readonly string[]): MediaLoader {
    const key = locales.join(' ');
    const known = this.#loaders.get(key);
    if (known !== undefined) return known;
    const loader: MediaLoader = new DataLoader(async (ids) => {
      const found = await mapDatabaseErrors(() => mediaOf(this.scope)(ids, locales));
      return ids.map((id) => found.get(id));
    });
    this.#loaders.set(key, loader);
    return loader;
  }

  readonly read: ReadMedia = async (ids, locales, siteId) => {
    if (siteId !== undefined) return mediaOf(this.scope)(ids, locales, siteId);
    const loader = this.loader(locales);
    const found = await Promise.all(ids.map((id) => loader.load(id)));
    return new Map(found.flatMap((asset) => (asset === undefined ? [] : [[asset.id, asset] as const])));
  };
}
