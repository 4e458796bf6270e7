import type { ListedPage } from '../shared/index.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';
import type { DraftDocuments } from './draft-documents.repository.js';

/** Drafts, except one entry that is read as of an earlier version. */
export class PinnedDocuments implements DocumentSource {
  readonly isPreview = true;

  constructor(
    private readonly drafts: DraftDocuments,
    private readonly pinned: { readonly entryId: string; readonly version: number },
  ) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const { entryId } = this.pinned;
    const others = await this.drafts.byIds(
      ids.filter((id) => id !== entryId),
      locales,
    );
    if (!ids.includes(entryId)) return others;
    return [...(await this.drafts.atVersion(this.pinned, locales)), ...others];
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.drafts.bySlug(query);
  }

  list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    return this.drafts.list(query);
  }
}
