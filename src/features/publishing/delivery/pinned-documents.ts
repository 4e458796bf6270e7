import type { ListedPage } from '../../shared/cursor/list-page.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';
import type { DraftDocuments } from './draft-documents.repository.js';
import type { Page } from '../../../../contracts/envelopes.js';
import type { Catalog } from '../../../content/catalog.js';

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

interface SiteParts {
  readonly siteId: string;
  readonly drafts: DocumentSource;
  readonly published: DocumentSource;
}

/** Drafts of one site; entries of others as they are published. Lists are of that site. */
export class SiteDrafts implements DocumentSource {
  readonly isPreview = true;

  constructor(private readonly parts: SiteParts) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const { siteId, drafts, published } = this.parts;
    const own = (await drafts.byIds(ids, locales)).filter((document) => document.siteId === siteId);
    const found = new Set(own.map(({ id }) => id));
    const others = ids.filter((id) => !found.has(id));
    if (others.length === 0) return own;
    const elsewhere = await published.byIds(others, locales);
    return [...own, ...elsewhere.filter((document) => document.siteId !== siteId)];
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.#in(query.siteId).bySlug(query);
  }

  list({ siteLocales, ...query }: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    const { siteId, drafts } = this.parts;
    return drafts.list({ ...query, siteId, locales: siteLocales?.[siteId] ?? query.locales });
  }

  #in(siteId: string): DocumentSource {
    return siteId === this.parts.siteId ? this.parts.drafts : this.parts.published;
  }
}

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

/** Documents of the sites of a catalog. Lists have their sites in the query. */
export class ActiveDocuments implements DocumentSource {
  constructor(
    private readonly source: DocumentSource,
    private readonly catalog: Catalog,
  ) {}

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const documents = await this.source.byIds(ids, locales);
    return documents.filter(({ siteId }) => this.catalog.site(siteId) !== undefined);
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.source.bySlug(query);
  }

  list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    return this.source.list(query);
  }
}
