import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { Catalog } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import { blockFieldsOf } from '../../../content/blocks/value-parts.js';
import type { Shown, ShownEntry } from '../../../content/rich-text/show-references.js';
import {
  contentBlock,
  hrefOf,
  presentContent,
  shownEntry,
  BLOCKS,
} from '../../../features/publishing/delivery/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { OperationScope } from '../../../procedures/index.js';
import { guards } from '../limits/query-limits.js';
import type { RootVerb, RootOperations } from '../system/root-contracts.js';
import type { ContentSources } from './content-sources.js';
import type { EntryNode, EntryPlace } from './entry-node.js';
import { RequestMedia, RequestDocuments } from './request-loaders.js';

interface Names {
  readonly texts: ReadonlySet<string>;
  readonly titles: readonly string[];
}

const known = new WeakMap<Catalog, Names>();

function namesOf(catalog: Catalog): Names {
  const found = known.get(catalog);
  if (found !== undefined) return found;
  const types = catalog.data.contentTypes;
  const texts = types.flatMap(({ fields }) => fields.filter((field) => kindOf(field).namesEntries));
  const names = {
    texts: new Set(texts.map(({ apiName }) => apiName)),
    titles: [...new Set(types.flatMap((type) => titleFieldOf(type) ?? []))],
  };
  known.set(catalog, names);
  return names;
}

/** The fields that a query names, with those that title the entries in its texts. */
function withTitles(fieldNames: readonly string[], catalog: Catalog): readonly string[] {
  const { texts, titles } = namesOf(catalog);
  return fieldNames.some((name) => texts.has(name)) ? [...new Set([...fieldNames, ...titles])] : fieldNames;
}

interface RequestReadsParts {
  readonly operations: RootOperations['operations'];
  readonly scope: OperationScope;
  readonly catalog: Catalog;
  /** Type names by `apiName`. */
  readonly typeNames: ReadonlyMap<string, string>;
  readonly maxReferenceDepth: number;
  /** Set if the request asks for the sources of its values. */
  readonly sources?: ContentSources | undefined;
}

/** Root fields that read the texts of entries. */
const searches: ReadonlySet<string> = new Set<RootVerb>(['search', 'suggest']);

/** The context value: runs root fields and follows references. */
export class RequestReads {
  readonly #documents: RequestDocuments;
  readonly #media: RequestMedia;
  #entries = 0;

  constructor(private readonly parts: RequestReadsParts) {
    const { scope, catalog } = parts;
    this.#documents = new RequestDocuments(scope, catalog);
    scope.mode.documents = (isPreview) => this.#documents.of(isPreview);
    this.#media = new RequestMedia(scope);
    scope.mode.media = () => this.#media.read;
  }

  get sources(): ContentSources | undefined {
    return this.parts.sources;
  }

  /** Further entries are omitted. */
  get isOverLimit(): boolean {
    return this.#entries > guards.entriesPerResult;
  }

  /** Reads only these fields of entries from now on. */
  readOnly(fieldNames: readonly string[]): void {
    const { scope, catalog } = this.parts;
    if (fieldNames.some((name) => searches.has(name))) return;
    const hasBlocks = catalog.data.contentTypes.some((type) =>
      blockFieldsOf(type).some(({ apiName }) => fieldNames.includes(apiName)),
    );
    const names = withTitles(fieldNames, catalog);
    scope.mode.onlyFields = hasBlocks ? [...names, BLOCKS] : names;
  }

  /** @throws AppError of the procedure */
  read(verb: RootVerb, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { operations, scope, catalog } = this.parts;
    return operations[verb].run(scope, { ...input, projectSlug: catalog.data.project.slug });
  }

  /** Omits entries whose type the schema lacks. */
  rootNodes(entries: readonly EntryContent[], { isPreview, locales, siteLocales }: ReadOrigin): EntryNode[] {
    const documents = this.#documents.of(isPreview);
    const paths = () => this.#documents.paths(isPreview);
    const placeIn = (chain: readonly string[]): EntryPlace => ({
      loader: documents.loader(chain),
      paths,
      locale: chain[0] ?? '',
      media: this.#media.loader(chain),
      hops: 0,
    });
    const place = placeIn(locales);
    const placeOf = ({ _siteId }: EntryContent): EntryPlace => placeIn(siteLocales?.[_siteId] ?? locales);
    this.#entries += entries.length;
    return entries.flatMap(
      (entry) => this.#node(entry, siteLocales === undefined ? place : placeOf(entry)) ?? [],
    );
  }

  /**
   * Linked entries in order, without missing and unpublished ones. Stops at the maximum reference depth, which blocks
   * of an entry do not add to (rule graphql/reads).
   */
  async follow(
    { entry: owner, place: { hops, ...origin } }: EntryNode,
    ids: readonly string[],
  ): Promise<EntryNode[]> {
    const { catalog, maxReferenceDepth } = this.parts;
    const isOwn = (id: string): boolean => contentBlock(owner, id) !== undefined;
    const wanted = ids.filter((id) => isUuid(id) && (hops < maxReferenceDepth || isOwn(id)));
    // Counted before reading: nested lists cannot load more than allowed.
    this.#entries += wanted.length;
    if (this.isOverLimit) return [];
    const documents = await Promise.all(
      wanted.map(async (id) => contentBlock(owner, id) ?? (await origin.loader.load(id))),
    );
    return documents.flatMap((document) => {
      const entry = document && presentContent(document, catalog);
      const place = { ...origin, hops: document?.ownerId === undefined ? hops + 1 : hops };
      return (entry && this.#node(entry, place)) ?? [];
    });
  }

  /** Assets in order, without missing ones. Counted as entries are. */
  async assets({ place: { media } }: EntryNode, ids: readonly string[]): Promise<DeliveryMedia[]> {
    const wanted = ids.filter(isUuid);
    this.#entries += wanted.length;
    if (this.isOverLimit) return [];
    const found = await Promise.all(wanted.map((id) => media.load(id)));
    return found.filter((asset) => asset !== undefined);
  }

  /** What texts of an entry name, as readers see it. Counted as entries are. */
  async shown(
    node: EntryNode,
    named: { readonly entries: readonly string[]; readonly assets: readonly string[] },
  ): Promise<Shown> {
    const [entries, assets] = await Promise.all([
      this.#shownEntries(node, named.entries),
      this.assets(node, named.assets),
    ]);
    const assetsById = new Map(assets.map((asset) => [asset.id, asset]));
    return { entry: (id) => entries.get(id), asset: (id) => assetsById.get(id) };
  }

  async #shownEntries(
    { entry, place: { loader, paths, locale } }: EntryNode,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ShownEntry>> {
    const { scope, catalog } = this.parts;
    scope.trace.addEntries(ids);
    this.#entries += ids.length;
    if (this.isOverLimit) return new Map();
    const found = await Promise.all(ids.map((id) => loader.load(id)));
    const shown = found
      .filter((document) => document !== undefined)
      .map(async (document) => {
        const path = await paths().load({ ...document, requested: locale });
        const site = catalog.site(document.siteId);
        const href = path === null ? null : hrefOf(path, site, entry._siteId);
        return [document.id, shownEntry(document, { catalog }, { path, href })] as const;
      });
    return new Map(await Promise.all(shown));
  }

  #node(entry: EntryContent, place: EntryPlace): EntryNode | null {
    const typeName = this.parts.typeNames.get(entry._type);
    return typeName === undefined || this.isOverLimit ? null : { typeName, entry, place };
  }
}
