import { limits } from '../../../../contracts/limits.js';
import { RoutePath } from '../../../../contracts/resources/route.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  findRoute,
  type DeliveryTrace,
  type DocumentSource,
  type RouteSource,
  type StoredDocument,
} from '../../../features/delivery/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { guards } from '../limits/query-limits.js';
import { createEntryLoader } from '../loaders/document-loader.js';
import { EntryNode, type EntryPlace, type EntryTypeNames, type EntryView } from './entry-node.js';
import { anyDefaultLocale, defaultLocales, siteLocales, tenantLocales } from './read-locales.js';

/** What the reads of one request work with. */
export interface ReadContextParts {
  readonly catalog: Catalog;
  readonly trace: DeliveryTrace;
  /** Type names by content type id. */
  readonly typeNames: ReadonlyMap<string, EntryTypeNames>;
  readonly maxReferenceDepth: number;
  /** What `preview` is where a query does not say. */
  readonly seesDrafts: boolean;
  source(wantsDrafts: boolean): DocumentSource;
  readonly routes: RouteSource;
}

/** Arguments of `resolveRoute`. */
export interface PathQuestion {
  readonly site: string;
  readonly locale: string;
  readonly path: string;
}

/** What a path leads to. */
export interface RouteAnswer {
  readonly kind: 'entry' | 'redirect';
  readonly entry: EntryNode | null;
  readonly target: string | null;
  readonly status: number | null;
}

/** Arguments of `entryBySlug`. */
export interface SlugQuestion {
  readonly slug: string;
  readonly site: string;
  readonly locale: string;
  readonly preview?: boolean | null | undefined;
}

/** Arguments of a collection that are applied. */
export interface CollectionArguments {
  readonly site?: string | null;
  readonly locale?: string | null;
  readonly preview?: boolean | null;
  readonly limit?: number | null;
  readonly skip?: number | null;
}

/** A page of a collection. */
export interface EntryPage {
  readonly items: readonly EntryNode[];
  readonly total: number;
  readonly skip: number;
  readonly limit: number;
}

const invalidPath = () =>
  invalidInput({ path: ['path'], code: 'invalid_format', message: 'A path begins with "/".' });

/** The reads of one request: resolvers ask it and nothing else. Failures are AppErrors of the reads. */
export class ReadContext {
  readonly #views = new Map<string, EntryView>();
  #entries = 0;

  constructor(private readonly parts: ReadContextParts) {}

  /** Whether the answer would hold more entries than one may; those beyond are left out of it. */
  get isOverfull(): boolean {
    return this.#entries > guards.entriesPerAnswer;
  }

  /** The entry of this id in the default locale of its own site, or what that falls back to. */
  async entry(id: string): Promise<EntryNode | null> {
    const { catalog } = this.parts;
    if (!isUuid(id)) return null;
    const key = id.toLowerCase();
    // Which locale to read depends on the site, which only the entry tells: where all sites have the
    // same default locale, and mostly elsewhere, the first read is the answer.
    const found = await this.#view(null, anyDefaultLocale(catalog)).loader.load(key);
    const site = found && catalog.site(found.siteId);
    if (site === undefined) return null;
    const view = this.#view(null, defaultLocales(catalog, site));
    const isBest = found?.locale === view.locales[0];
    return this.#root(isBest ? found : await view.loader.load(key), view);
  }

  /** @throws AppError `site_not_found`, `locale_not_found` */
  async entryBySlug({ slug, site: siteSlug, locale, preview }: SlugQuestion): Promise<EntryNode | null> {
    const { catalog, trace } = this.parts;
    const { site, locales } = siteLocales(catalog, siteSlug, locale);
    trace.addSite(site.slug);
    const wanted = EntrySlug.safeParse(slug.normalize('NFC'));
    if (!wanted.success) return null;
    const view = this.#view(preview, locales);
    const document = await view.source.bySlug({ slug: wanted.data, siteId: site.id, locales });
    if (document !== undefined) trace.addDocuments([document], catalog);
    return this.#root(document, view);
  }

  /**
   * What a path leads to; null where nothing matches.
   * @throws AppError `site_not_found`, `locale_not_found`, `validation_failed` for what is no path
   */
  async resolveRoute({ site: siteSlug, locale, path }: PathQuestion): Promise<RouteAnswer | null> {
    const { catalog, trace, routes, seesDrafts } = this.parts;
    const { site } = siteLocales(catalog, siteSlug, locale);
    trace.addSite(site.slug);
    if (!RoutePath.safeParse(path).success) throw invalidPath();
    const source = this.parts.source(seesDrafts);
    const found = await findRoute({ catalog, source, routes }, { site, path, locale });
    if (found === undefined) return null;
    if (!('document' in found))
      return { kind: 'redirect', entry: null, target: found.target, status: found.status };
    trace.addDocuments([found.document], catalog);
    const entry = this.#root(found.document, this.#view(null, found.locales));
    return entry && { kind: 'entry', entry, target: null, status: null };
  }

  /** @throws AppError `site_not_found`, `locale_not_found` */
  async collection(
    contentType: { id: string; apiName: string },
    given: CollectionArguments,
  ): Promise<EntryPage> {
    const { catalog, trace } = this.parts;
    const scope = given.site ? siteLocales(catalog, given.site, given.locale) : null;
    const locales = scope?.locales ?? tenantLocales(catalog, given.locale);
    const limit = given.limit ?? limits.pageLimitDefault;
    const skip = given.skip ?? 0;
    trace.addType(contentType.apiName);
    if (scope !== null) trace.addSite(scope.site.slug);
    const view = this.#view(given.preview, locales);
    const page = await view.source.list({
      contentTypeId: contentType.id,
      siteId: scope?.site.id ?? null,
      locales,
      orderBy: 'updatedAt:desc',
      limit,
      offset: skip,
    });
    trace.addDocuments(page.items, catalog);
    const items = page.items.flatMap((document) => this.#root(document, view) ?? []);
    return { items, total: page.total, skip, limit };
  }

  /**
   * The entries that `parent` refers to, in order, without those that are missing or unpublished. Past the
   * last hop allowed nothing is loaded (specification 4.2 rule 4).
   */
  async follow(parent: EntryNode, ids: readonly string[]): Promise<EntryNode[]> {
    const { view, hops } = parent.place;
    if (hops >= this.parts.maxReferenceDepth) return [];
    const wanted = ids.filter(isUuid);
    // Counted before they are loaded, so that one list of lists cannot load more than an answer may hold.
    this.#entries += wanted.length;
    if (this.isOverfull) return [];
    const documents = await Promise.all(wanted.map((id) => view.loader.load(id)));
    return documents.flatMap((document) => this.#node(document, { view, hops: hops + 1 }) ?? []);
  }

  #view(preview: boolean | null | undefined, locales: readonly string[]): EntryView {
    const { catalog, trace, seesDrafts } = this.parts;
    const wantsDrafts = preview ?? seesDrafts;
    const key = JSON.stringify([wantsDrafts, locales]);
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const source = this.parts.source(wantsDrafts);
    const loader = createEntryLoader(async (ids) => {
      const documents = locales.length === 0 ? [] : await source.byIds(ids, locales);
      trace.addDocuments(documents, catalog);
      return documents;
    });
    const view = { source, locales, loader };
    this.#views.set(key, view);
    return view;
  }

  #root(document: StoredDocument | undefined, view: EntryView): EntryNode | null {
    this.#entries += 1;
    return this.#node(document, { view, hops: 0 });
  }

  /** Null for what is not there, and for an entry of a type that is gone. */
  #node(document: StoredDocument | undefined, place: EntryPlace): EntryNode | null {
    const names = document && this.parts.typeNames.get(document.contentTypeId);
    if (names === undefined || document === undefined) return null;
    return this.isOverfull ? null : new EntryNode(document, names, place);
  }
}
