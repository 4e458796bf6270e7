import type { EntryContent } from '../../../../contracts/publishing/delivery/content-entry.js';
import { contentValue } from '../../../features/publishing/delivery/index.js';
import type { DocumentLoader, PathLoader, MediaLoader } from './request-loaders.js';

export interface EntryPlace {
  /** Same source and locales as the entry. */
  readonly loader: DocumentLoader;
  /** Lazy: most queries select no path. */
  readonly paths: () => PathLoader;
  /** The locale requested: the first of the entry's chain. */
  readonly locale: string;
  readonly media: MediaLoader;
  /** References followed from the root entry. */
  readonly hops: number;
}

/** The source value of an entry's resolvers. */
export interface EntryNode {
  readonly typeName: string;
  readonly entry: EntryContent;
  readonly place: EntryPlace;
}

export const valueOf = ({ entry }: EntryNode, apiName: string): unknown => contentValue(entry, apiName);

/** The path of an entry in the locale requested; null without a route. */
export function pathOf({ entry, place: { paths, locale } }: EntryNode): Promise<string | null> {
  const { _id, _siteId, _locale } = entry;
  return paths().load({ id: _id, siteId: _siteId, locale: _locale, requested: locale });
}
