import type { ResolvedRedirect } from '../redirects/index.js';

/** A stored path of a site, without the prefix of its locale. */
export interface RouteQuery {
  readonly siteId: string;
  /** A fallback chain, best first. */
  readonly locales: readonly string[];
  readonly path: string;
  /** Whether drafts resolve, too. */
  readonly isPreview: boolean;
}

/** A public path. */
export interface RedirectQuestion {
  readonly siteId: string;
  readonly locale: string;
  readonly path: string;
  isPage(path: string): Promise<boolean>;
}

/** Looks up paths with one statement each. */
export interface RouteSource {
  /** Id of the entry at a path, in the best published locale of the chain. */
  entryAt(query: RouteQuery): Promise<string | undefined>;
  redirectAt(question: RedirectQuestion): Promise<ResolvedRedirect | undefined>;
}
