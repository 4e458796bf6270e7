import type { DeliveredBlocks } from '../../../content/deliver-fields.js';
import { takesMarkup } from '../../shared/field-kind-sql.js';
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

/** Ids of the types that read locales in their own way, see `Catalog`. */
export interface LocaleTypes {
  /** Their entries have one document for every locale. */
  readonly typesForAll: readonly string[];
  /** Their localized fields without a value show that of a fallback. */
  readonly typesWithFallback: readonly string[];
}

/** Binds a value and returns its placeholder. */
type Bind = (value: unknown) => string;

/** SQL of the position of a locale in the chain that an entry is read along. */
type PositionOf = (locale: string) => string;

/** `$2` is the chain. */
export const inChain: PositionOf = (locale) => `array_position($2::text[], ${locale})`;

/** `$5` has the positions by site. */
export const inSiteChain: PositionOf = (locale) => `($5::jsonb -> l.site_id::text ->> ${locale})::int`;

/**
 * The localized values of the draft `l` as its readers see them: what it says itself, else the first of its fallbacks
 * that says something. `$1` is the environment.
 */
export function shownFieldsSql(
  { typesWithFallback }: LocaleTypes,
  positionOf: PositionOf,
  bind: Bind,
): string {
  if (typesWithFallback.length === 0) return 'l.fields';
  return `CASE WHEN l.content_type_id = ANY(${bind(typesWithFallback)}::uuid[]) THEN l.fields || coalesce((
      SELECT jsonb_object_agg(v.key, v.value ORDER BY ${positionOf('o.locale')} DESC)
      FROM entry_locales o CROSS JOIN LATERAL jsonb_each(o.fields) AS v
        JOIN fields f ON f.environment_id = $1 AND f.content_type_id = l.content_type_id AND f.api_name = v.key AND f.localized
      WHERE o.environment_id = $1 AND o.entry_id = l.entry_id AND NOT o.is_deleted
        AND ${positionOf('o.locale')} >= ${positionOf('l.locale')} AND has_value(v.value, ${takesMarkup('f.type')})), '{}')
    ELSE l.fields END`;
}
