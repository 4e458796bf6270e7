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
  /** Reads on behind this path, else from the beginning. */
  readonly after: string | null;
  /** Routes to leave out first. */
  readonly skip: number;
  readonly limit: number;
}

/** Where sitemaps are read from. */
export interface SitemapSource {
  /** Live routes by locale. */
  countListed(siteId: string): Promise<ReadonlyMap<string, number>>;
  /** Routes of one locale in order of their paths. */
  listed(query: ListedQuery): Promise<ListedRoute[]>;
}
