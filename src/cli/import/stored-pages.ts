import { createHash } from 'node:crypto';
import type { Entry, EntryStatus } from '../../../contracts/entries/entries/entry.js';
import { canonicalJson } from '../../content/exact-json/canonical-json.js';
import type { OperationsClient } from '../client/operations-client.js';
import { everyItem } from '../client/rest-operations.js';

interface StoredVersion {
  readonly status: EntryStatus;
  /** {@link contentHash} of its values; empty when they were not read. */
  readonly hash: string;
}

/** What is needed to find differences, without bodies. */
export interface StoredPage {
  readonly id: string;
  version: number;
  /** Null outside the tree. */
  nodeId: string | null;
  /** Null at the root. */
  parentNodeId: string | null;
  shared: Readonly<Record<string, unknown>>;
  readonly versions: Map<string, StoredVersion>;
}

export interface PageContent {
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const sharedNames = ['key', 'position', 'parent', 'related'];

export function contentHash({ slug, fields: { title, body, pictures = null } }: PageContent): string {
  return createHash('sha256')
    .update(canonicalJson([slug.normalize('NFC'), title, body, pictures]))
    .digest('base64');
}

function refresh(page: StoredPage, entry: Entry): void {
  page.version = entry.version;
  page.nodeId = entry.treeNodeId;
  page.parentNodeId = entry.treeParentId;
  page.shared = Object.fromEntries(sharedNames.map((name) => [name, entry.fields[name]]));
  for (const { locale, status } of entry.locales) {
    const hash = locale === entry.locale ? contentHash(entry) : (page.versions.get(locale)?.hash ?? '');
    page.versions.set(locale, { status, hash });
  }
}

function storedPage(entry: Entry): StoredPage {
  const place = { nodeId: entry.treeNodeId, parentNodeId: entry.treeParentId };
  const page = { id: entry.id, version: entry.version, ...place, shared: {}, versions: new Map() };
  refresh(page, entry);
  return page;
}

/** By key; of two pages with the same key, the older one is used. */
export async function listStoredPages(
  client: OperationsClient,
  projectSlug: string,
  { siteId, locales }: { siteId: string; locales: readonly string[] },
): Promise<Map<string, StoredPage>> {
  const pages = new Map<string, StoredPage>();
  for (const locale of locales) {
    const filter = { contentTypeApiName: ['page'], siteId: [siteId], locale };
    const query = { projectSlug, ...filter, limit: 100, orderBy: 'createdAt:asc' } as const;
    for await (const entry of everyItem((page) => client.call('entries', 'list', { ...query, page }))) {
      const key = String(entry.fields.key);
      const known = pages.get(key);
      if (known === undefined) pages.set(key, storedPage(entry));
      else if (known.id === entry.id) refresh(known, entry);
    }
  }
  return pages;
}
