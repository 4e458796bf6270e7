import type { Page } from '../../../contracts/envelopes.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

interface PreviewedParts {
  readonly entryId: string;
  readonly locale: string;
  readonly drafts: DocumentSource;
  readonly published: DocumentSource;
}

/** Published documents, except one entry whose draft is shown in one locale. Lists show what is published. */
export class PreviewedDocument implements DocumentSource {
  readonly isPreview = false;

  constructor(private readonly parts: PreviewedParts) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const { entryId, published } = this.parts;
    if (!ids.includes(entryId) || !this.#isShownIn(locales)) return published.byIds(ids, locales);
    const others = ids.filter((id) => id !== entryId);
    const [own, rest] = await Promise.all([
      this.#draft(locales),
      others.length === 0 ? [] : published.byIds(others, locales),
    ]);
    return own === undefined ? rest : [own, ...rest];
  }

  async bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    const own = this.#isShownIn(query.locales) ? await this.#draft(query.locales) : undefined;
    if (own?.siteId === query.siteId && own.slug === query.slug) return own;
    return this.parts.published.bySlug(query);
  }

  list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    return this.parts.published.list(query);
  }

  #isShownIn([first]: readonly string[]): boolean {
    return first === this.parts.locale;
  }

  /** In the best locale of the chain that is written. */
  async #draft(locales: readonly string[]): Promise<StoredDocument | undefined> {
    const { entryId, drafts } = this.parts;
    const [document] = await drafts.byIds([entryId], locales);
    return document;
  }
}
