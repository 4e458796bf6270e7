import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { Catalog } from '../../../content/catalog.js';
import { valueIn } from '../../../content/model/field-definition.js';
import { valueOf, type StoredDocument } from './document.js';

/** Formats system fields on access: queries select few of them. */
class DocumentContent implements EntryContent {
  constructor(
    private readonly document: StoredDocument,
    readonly _type: string,
  ) {}

  get _id(): string {
    return this.document.id;
  }

  get _slug(): string {
    return this.document.slug;
  }

  get _siteId(): string {
    return this.document.siteId;
  }

  get _locale(): string {
    return this.document.locale;
  }

  get _publishedAt(): string | null {
    return this.document.publishedAt?.toISOString() ?? null;
  }

  get _updatedAt(): string {
    return this.document.updatedAt.toISOString();
  }

  get fields(): Record<string, unknown> {
    return this.document.fields;
  }

  value(apiName: string): unknown {
    return valueOf(this.document, apiName);
  }

  text(apiName: string): string | undefined {
    return this.document.body?.text(apiName);
  }

  block(id: string): StoredDocument | undefined {
    return this.document.ownBlocks?.get(id);
  }
}

/** A block of the content's entry. */
export const contentBlock = (content: EntryContent, id: string): StoredDocument | undefined =>
  content instanceof DocumentContent ? content.block(id) : undefined;

/** The value of one field; others are not parsed. */
export const contentValue = (content: EntryContent, apiName: string): unknown =>
  content instanceof DocumentContent ? content.value(apiName) : valueIn(content.fields, apiName);

/** The stored JSON of one field's value; undefined where the content has no text. */
export const contentText = (content: EntryContent, apiName: string): string | undefined =>
  content instanceof DocumentContent ? content.text(apiName) : undefined;

/** Null if the content type was deleted. */
export function presentContent(document: StoredDocument, catalog: Catalog): EntryContent | null {
  const type = catalog.contentTypeById(document.contentTypeId);
  return type === undefined ? null : new DocumentContent(document, type.apiName);
}

export interface EntryRead {
  readonly data: EntryContent | null;
  readonly meta: ReadOrigin;
}
