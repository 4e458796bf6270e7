import type { Page } from '../../../contracts/envelopes.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

interface LoneParts {
  readonly entryId: string;
  readonly drafts: DocumentSource;
  readonly published: DocumentSource;
}

/** One draft among published documents, for preview links of users who cannot read all drafts. */
export class LoneDraft implements DocumentSource {
  readonly isPreview = true;

  constructor(private readonly parts: LoneParts) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const { entryId, drafts, published } = this.parts;
    const found = await Promise.all([
      ids.includes(entryId) ? drafts.byIds([entryId], locales) : [],
      published.byIds(
        ids.filter((id) => id !== entryId),
        locales,
      ),
    ]);
    return found.flat();
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.parts.published.bySlug(query);
  }

  list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    return this.parts.published.list(query);
  }
}
