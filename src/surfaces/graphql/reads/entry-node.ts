import type { EntryContent } from '../../../../contracts/publishing/delivery/content-entry.js';
import { contentText, contentValue } from '../../../features/publishing/delivery/index.js';
import { loadEach } from './gathered-reads.js';
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

/** The stored JSON of a value; undefined where the content has none. */
export const storedTextOf = ({ entry }: EntryNode, apiName: string): string | undefined =>
  contentText(entry, apiName);

/** The paths of entries in the locale requested; null without a route. */
export async function pathsOf(nodes: readonly EntryNode[]): Promise<(string | null)[]> {
  const found = await loadEach(nodes, {
    loaderOf: ({ place: { paths } }) => paths(),
    keysOf: ({ entry: { _id, _siteId, _locale }, place: { locale } }) => [
      { id: _id, siteId: _siteId, locale: _locale, requested: locale },
    ],
  });
  return found.map(([path]) => path ?? null);
}
