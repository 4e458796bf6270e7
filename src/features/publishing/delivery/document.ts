import type { DeliveryEntry } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { Catalog, FieldDefinition } from '../../../content/catalog.js';
import { isGroup, valueIn } from '../../../content/model/field-definition.js';
import type { ListedPage, ListWindow } from '../../shared/cursor/list-page.js';
import type { PublishedBody } from '../../shared/published-body.js';
import type { Condition } from './content-filter.js';

/** One locale of an entry as delivery reads it: published, or the draft in a preview. */
export interface StoredDocument {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly slug: string;
  readonly locale: string;
  /** Resolved values of every field, see `deliverFields`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields as text, from which single values can be read; unset for drafts. */
  readonly body?: PublishedBody | undefined;
  /** Its own blocks on all levels, by id; a block has those of its entry. */
  readonly ownBlocks?: ReadonlyMap<string, StoredDocument> | undefined;
  /** The entry that a block belongs to. */
  readonly ownerId?: string | undefined;
  readonly publishedAt: Date | null;
  /** The last publish of a published document, the last change of a draft. */
  readonly updatedAt: Date;
}

/** The value of one field, without parsing the others. */
export const valueOf = (document: Pick<StoredDocument, 'fields' | 'body'>, apiName: string): unknown =>
  document.body === undefined ? valueIn(document.fields, apiName) : document.body.value(apiName);

/** Which entries of a type to list. `locales` is a fallback chain, best first, unless there are `siteLocales`. */
export interface DocumentQuery extends ListWindow {
  readonly contentTypeId: string;
  /** Whether the type has one document for every locale, which is served in the first one. */
  readonly isForAll?: boolean | undefined;
  /** Null lists every site. */
  readonly siteId: string | null;
  readonly locales: readonly string[];
  /** Chains by site id; `locales` are all of theirs. Requires every site. */
  readonly siteLocales?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly orderBy: 'createdAt:asc' | 'createdAt:desc' | 'updatedAt:asc' | 'updatedAt:desc';
  readonly conditions?: readonly Condition[];
}

/** JSON `{siteId: {locale: position in the chain}}`, for statements on several chains. */
export const chainPositions = (siteLocales: NonNullable<DocumentQuery['siteLocales']>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(siteLocales).map(([siteId, chain]) => [
        siteId,
        Object.fromEntries(chain.map((locale, position) => [locale, position])),
      ]),
    ),
  );

/** If several types share the slug, the entry published first is found. */
export interface SlugQuery {
  readonly slug: string;
  readonly siteId: string;
  readonly locales: readonly string[];
}

/**
 * Source of delivery and GraphQL reads: the read model, or the write model for previews. Each method is one statement,
 * whatever the number of ids, and returns the best locale of the chain.
 */
export interface DocumentSource {
  readonly isPreview: boolean;
  byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]>;
  bySlug(query: SlugQuery): Promise<StoredDocument | undefined>;
  list(query: DocumentQuery): Promise<ListedPage<StoredDocument>>;
}

interface Presented {
  /** Defaults to those of the document. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Undefined if paths were not requested. */
  readonly path?: string | null | undefined;
}

/** The delivery shape of a document (rule delivery/entry) without its fields. */
export const systemKeysOf = (
  document: StoredDocument,
  typeName: string,
  path?: string | null,
): Omit<DeliveryEntry, 'fields'> => ({
  _id: document.id,
  _type: typeName,
  _slug: document.slug,
  _siteId: document.siteId,
  _locale: document.locale,
  _publishedAt: document.publishedAt?.toISOString() ?? null,
  ...(path !== undefined && { _path: path }),
});

/** The value of a field that a document does not have: it was added after the publish. */
export const unsetValue = (field: FieldDefinition): unknown => (field.isList && !isGroup(field) ? [] : null);

/** The delivery shape of a document (rule delivery/entry), with values in the order of the type's fields. */
export function presentDocument(
  document: StoredDocument,
  catalog: Catalog,
  { values = document.fields, path }: Presented = {},
): DeliveryEntry {
  const type = catalog.contentTypeById(document.contentTypeId);
  const fields: Record<string, unknown> = {};
  for (const field of type?.fields ?? []) {
    const value = valueIn(values, field.apiName);
    fields[field.apiName] = value === undefined ? unsetValue(field) : value;
  }
  return { ...systemKeysOf(document, type?.apiName ?? '', path), fields };
}
