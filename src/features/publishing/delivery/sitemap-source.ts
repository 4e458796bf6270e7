/** A published route; paths are stored ones, without prefixes. */
export interface ListedRoute {
  readonly path: string;
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly publishedAt: Date;
  /** Its published paths by locale, including this one. */
  readonly paths: Readonly<Record<string, string>>;
}

export interface ListedQuery {
  readonly siteId: string;
  readonly locale: string;
  /** Reads after this path; empty for the start. */
  readonly after: string;
  readonly limit: number;
}

export interface ListedPlace {
  readonly siteId: string;
  readonly locale: string;
  /** Number of routes before it, at least one, and in total. */
  readonly skip: number;
  readonly total: number;
}

export interface SitemapSource {
  /** Live routes by locale. */
  countListed(siteId: string): Promise<ReadonlyMap<string, number>>;
  /** The path before a position; undefined if there are fewer routes now. */
  pathBefore(place: ListedPlace): Promise<string | undefined>;
  /** Routes of one locale in order of their paths. */
  listed(query: ListedQuery): Promise<ListedRoute[]>;
}
