import type { TreeStart } from './tree-sql.js';

/** Which part of a site's tree to read. */
export interface TreeQuery {
  readonly siteId: string;
  /** A fallback chain, best first. */
  readonly locales: readonly string[];
  readonly start: { readonly at: TreeStart; readonly value: string | null };
  readonly levels: number;
  readonly isMenu: boolean;
  readonly limit: number;
  /** `apiName` of the title field by content type id. */
  readonly titles: Readonly<Record<string, string>>;
}

/** A node as stored; what concerns its entry is null in previews. */
export interface TreeRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly entryId: string | null;
  readonly type: 'page' | 'folder' | 'link';
  readonly name: string | null;
  readonly slug: string | null;
  readonly url: string | null;
  readonly rank: string;
  /** Stored path. */
  readonly path: string | null;
  readonly entrySlug: string | null;
  readonly title: string | null;
  readonly contentTypeId: string | null;
}

/** Reads a tree with one statement, in no order. */
export interface TreeSource {
  tree(query: TreeQuery, isPreview: boolean): Promise<TreeRow[]>;
}
