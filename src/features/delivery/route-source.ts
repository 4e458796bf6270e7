import type { ResolvedRedirect } from '../redirects/index.js';

/** A stored path of a site, without the prefix of its locale. */
export interface RouteQuery {
  readonly siteId: string;
  /** A fallback chain, best first. */
  readonly locales: readonly string[];
  readonly path: string;
  /** Whether drafts answer, too. */
  readonly isPreview: boolean;
}

/** A path as visitors see it. */
export interface RedirectQuestion {
  readonly siteId: string;
  readonly locale: string;
  readonly path: string;
  isPage(path: string): Promise<boolean>;
}

/** Where paths are looked up, each by one statement. */
export interface RouteSource {
  /** Id of the entry at a path: in the best locale of the chain that it is published in. */
  entryAt(query: RouteQuery): Promise<string | undefined>;
  redirectAt(question: RedirectQuestion): Promise<ResolvedRedirect | undefined>;
}
