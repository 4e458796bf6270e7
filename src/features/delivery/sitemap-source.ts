/** A live route as the sitemap reads it; paths are stored ones, without prefixes. */
export interface ListedRoute {
  readonly path: string;
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly publishedAt: Date;
  /** Its live paths by locale, itself included. */
  readonly paths: Readonly<Record<string, string>>;
}

/** Which routes of a locale to read. */
export interface ListedQuery {
  readonly siteId: string;
  readonly locale: string;
  /** Reads on behind this path; the empty one stands before all. */
  readonly after: string;
  readonly limit: number;
}

/** A place among the routes of a locale. */
export interface ListedPlace {
  readonly siteId: string;
  readonly locale: string;
  /** Routes before it, at least one, and routes in all. */
  readonly skip: number;
  readonly total: number;
}

/** Where sitemaps are read from. */
export interface SitemapSource {
  /** Live routes by locale. */
  countListed(siteId: string): Promise<ReadonlyMap<string, number>>;
  /** The path behind which a place is; undefined where there are not so many any more. */
  pathBefore(place: ListedPlace): Promise<string | undefined>;
  /** Routes of one locale in order of their paths. */
  listed(query: ListedQuery): Promise<ListedRoute[]>;
}
