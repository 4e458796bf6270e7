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

interface BlockReads {
  byIds(ids: readonly string[]): Promise<StoredDocument[]>;
  ownersOf(ids: readonly string[]): Promise<readonly OwnedBlock[]>;
}

/** A block, and what may be part of the document that shows it: the block itself or an entry that was one. */
interface Sought {
  readonly id: string;
  readonly partId: string;
}

/** Blocks in the documents of their owners. One that became an entry is shown where it was, until it has a document. */
async function ownedDocuments(sought: readonly Sought[], read: BlockReads): Promise<StoredDocument[]> {
  const owners = await read.ownersOf([...new Set(sought.map(({ partId }) => partId))]);
  if (owners.length === 0) return [];
  const ownerOf = new Map(owners.map(({ id, entryId }) => [id, entryId]));
  const documents = await read.byIds([...new Set(ownerOf.values())]);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const found: StoredDocument[] = [];
  const further: Sought[] = [];
  for (const { id, partId } of sought) {
    const ownerId = ownerOf.get(partId);
    const owner = byId.get(ownerId ?? '');
    const block = owner?.ownBlocks?.get(id);
    if (block !== undefined) found.push(block);
    else if (ownerId !== undefined && owner === undefined) further.push({ id, partId: ownerId });
  }
  return further.length === 0 ? found : [...found, ...(await ownedDocuments(further, read))];
}

/**
 * Documents by id, in which the ids of blocks stand for blocks of published entries. Looks for owners only where
 * something was not found.
 */
export async function withBlocks(ids: readonly string[], read: BlockReads): Promise<StoredDocument[]> {
  const documents = await read.byIds(ids);
  if (documents.length === ids.length) return documents;
  const found = new Set(documents.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id)).map((id) => ({ id, partId: id }));
  return [...documents, ...(await ownedDocuments(missing, read))];
}
