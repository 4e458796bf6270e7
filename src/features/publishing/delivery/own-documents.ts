import type { DeliveredBlocks } from '../../../content/deliver-fields.js';
import type { StoredDocument } from './document.js';

type Owner = Pick<StoredDocument, 'id' | 'siteId' | 'locale' | 'publishedAt' | 'updatedAt'>;

/** The blocks of a document as documents (rule entries/own-blocks): their slug is their id, all else is the owner's. */
export function ownDocuments(
  { id: ownerId, siteId, locale, publishedAt, updatedAt }: Owner,
  blocks: DeliveredBlocks,
): ReadonlyMap<string, StoredDocument> {
  const documents = new Map<string, StoredDocument>();
  for (const [id, { type: contentTypeId, fields }] of Object.entries(blocks)) {
    const own = { id, ownerId, contentTypeId, slug: id, fields, ownBlocks: documents };
    documents.set(id, { ...own, siteId, locale, publishedAt, updatedAt });
  }
  return documents;
}

/** A block with its entry. */
export interface OwnedBlock {
  readonly id: string;
  readonly entryId: string;
}

/** Owners of blocks: `$1` environment, `$2` ids of blocks. */
export const ownersOf = {
  name: 'published_block_owners',
  text: 'SELECT id, entry_id AS "entryId" FROM owned_blocks WHERE environment_id = $1 AND id = ANY($2::uuid[])',
};

/**
 * Documents by id, in which the ids of blocks stand for blocks of published entries. Looks for owners only where
 * something was not found.
 */
export async function withBlocks(
  ids: readonly string[],
  read: {
    byIds(ids: readonly string[]): Promise<StoredDocument[]>;
    ownersOf(ids: readonly string[]): Promise<readonly OwnedBlock[]>;
  },
): Promise<StoredDocument[]> {
  const documents = await read.byIds(ids);
  if (documents.length === ids.length) return documents;
  const found = new Set(documents.map(({ id }) => id));
  const owned = await read.ownersOf(ids.filter((id) => !found.has(id)));
  if (owned.length === 0) return documents;
  const owners = await read.byIds([...new Set(owned.map(({ entryId }) => entryId))]);
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return [...documents, ...owned.flatMap(({ id, entryId }) => byId.get(entryId)?.ownBlocks?.get(id) ?? [])];
}
