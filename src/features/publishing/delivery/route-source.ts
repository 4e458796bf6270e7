import type { Page } from '../../../../contracts/envelopes.js';
import type { ActiveRedirect, ActiveRedirectQuery, ResolvedRedirect } from '../../routing/redirects/index.js';

/** A stored path of a site, without the prefix of its locale. */
export interface RouteQuery {
  readonly siteId: string;
  /** A fallback chain, best first. */
  readonly locales: readonly string[];
  readonly path: string;
  /** Whether drafts resolve, too. */
  readonly isPreview: boolean;
}

/** A public path, and the query of the request. */
export interface RedirectQuestion {
  readonly siteId: string;
  readonly locale: string;
  readonly path: string;
  readonly query: string;
  readonly allowedTargets: readonly string[] | null;
  isPage(path: string): Promise<boolean>;
}

/** The entry at a path. */
export interface FoundEntry {
  readonly entryId: string;
  /** The entry's route in the requested locale, if this is its path in the fallback shown. */
  readonly canonicalPath: string | null;
  /** Whether another page has that route, so that the entry stays here. */
  readonly isShadowed: boolean;
}

/** Which route of an entry to read. */
export interface PathQuery {
  readonly entryId: string;
  readonly siteId: string;
  /** The locale requested, and the one served after fallback. */
  readonly locale: string;
  readonly servedLocale: string;
}

/** Looks up paths with one statement each. */
export interface RouteSource {
  /** In the best published locale of the chain. */
  entryAt(query: RouteQuery): Promise<FoundEntry | undefined>;
  /** Paths in the requested locales, by {@link pathKey}; absent without a route. */
  pathsOf(queries: readonly PathQuery[], isPreview: boolean): Promise<ReadonlyMap<string, PathRead>>;
  redirectAt(question: RedirectQuestion): Promise<ResolvedRedirect | undefined>;
  /** A page of the active redirects of a site. */
  listRedirects(query: ActiveRedirectQuery): Promise<Page<ActiveRedirect>>;
}

/** A stored path. */
export interface PathRead {
  readonly siteId: string;
  readonly path: string;
  /** Whether the page is shown by fallback, so that another page can take the path. */
  readonly isFallback: boolean;
  /** Whether another page has the path. */
  readonly isShadowed: boolean;
}

export const pathKey = ({ entryId, locale }: Pick<PathQuery, 'entryId' | 'locale'>): string =>
  `${entryId} ${locale}`;

/** A published route; paths are stored ones, without prefixes. */
export interface ListedRoute {
  readonly path: string;
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly publishedAt: Date;
  /** Its published paths by locale; includes this one unless it is shown by fallback. */
  readonly paths: Readonly<Record<string, string>>;
}

/** Fallback chains by locale, if pages shown by fallback are listed, too. */
export type ListedFallbacks = Readonly<Record<string, readonly string[]>> | undefined;

export interface ListedQuery {
  readonly siteId: string;
  readonly locale: string;
  readonly fallbacks?: ListedFallbacks;
  /** Reads after this path; empty for the start. */
  readonly after: string;
  readonly limit: number;
}

export interface ListedPlace {
  readonly siteId: string;
  readonly locale: string;
  readonly fallbacks?: ListedFallbacks;
  /** Number of routes before it, at least one, and in total. */
  readonly skip: number;
  readonly total: number;
}

export interface SitemapSource {
  /** Number of listed routes by locale. */
  countListed(siteId: string, fallbacks?: ListedFallbacks): Promise<ReadonlyMap<string, number>>;
  /** The path before a position; undefined if there are fewer routes now. */
  pathBefore(place: ListedPlace): Promise<string | undefined>;
  /** Routes of one locale in order of their paths. */
  listed(query: ListedQuery): Promise<ListedRoute[]>;
}
