import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import type { Page } from '../../../contracts/envelopes.js';
import type { Catalog } from '../../content/catalog.js';
import type { Condition } from './content-filter.js';

/** One locale of an entry as delivery reads it: published, or the draft in a preview. */
export interface StoredDocument {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly slug: string;
  readonly locale: string;
  /** Resolved values of every field, as `deliverFields` makes them. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly publishedAt: Date | null;
  /** Of published documents the last publish; of drafts the last change. */
  readonly updatedAt: Date;
  readonly createdAt: Date;
}

/** Which entries of a type to list. `locales` is a fallback chain, best first. */
export interface DocumentQuery {
  readonly contentTypeId: string;
  /** Null lists every site. */
  readonly siteId: string | null;
  readonly locales: readonly string[];
  readonly orderBy: 'createdAt:asc' | 'createdAt:desc' | 'updatedAt:asc' | 'updatedAt:desc';
  readonly limit: number;
  readonly offset: number;
  /** Comparisons that every entry of the list fulfils. */
  readonly conditions?: readonly Condition[];
}

/** Which entry to find by slug. Where several types share the slug, the one first published is meant. */
export interface SlugQuery {
  readonly slug: string;
  readonly siteId: string;
  readonly locales: readonly string[];
}

/**
 * Where delivery and GraphQL read from: the read model, or the write model for previews. Each method
 * is one statement, whatever the number of ids. Of several locales of a chain the best one answers.
 */
export interface DocumentSource {
  readonly isPreview: boolean;
  byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]>;
  bySlug(query: SlugQuery): Promise<StoredDocument | undefined>;
  list(query: DocumentQuery): Promise<Page<StoredDocument>>;
}

/**
 * The delivery shape of a document (specification 2.1), its values in the order of the type's fields. A field
 * that came after the document was published has no value there.
 */
export function presentDocument(
  document: StoredDocument,
  catalog: Catalog,
  values: Readonly<Record<string, unknown>> = document.fields,
): DeliveryEntry {
  const type = catalog.contentTypeById(document.contentTypeId);
  const fields: Record<string, unknown> = {};
  for (const { apiName, isList } of type?.fields ?? [])
    fields[apiName] = apiName in values ? values[apiName] : isList ? [] : null;
  return {
    _id: document.id,
    _type: type?.apiName ?? '',
    _slug: document.slug,
    _siteId: document.siteId,
    _locale: document.locale,
    _publishedAt: document.publishedAt?.toISOString() ?? null,
    fields,
  };
}
