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
  type PathedDocument,
  type ReferencedIds,
  type StoredDocument,
} from '../../../features/publishing/delivery/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { OperationScope } from '../../../procedures/index.js';
import { guards } from '../limits/query-limits.js';
import type { RootVerb, RootOperations } from '../system/root-contracts.js';
import type { ContentSources } from './content-sources.js';
import type { EntryNode, EntryPlace } from './entry-node.js';
import { loadEach } from './gathered-reads.js';
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

const pathed = ({ id, siteId, locale }: PathedDocument): PathedDocument => ({ id, siteId, locale });

/** Root fields that read the texts of entries. */
const searches: ReadonlySet<string> = new Set<RootVerb>(['search', 'suggest']);

/** The context value: runs root fields and follows references. */
export class RequestReads {
  readonly #documents: RequestDocuments;
  readonly #media: RequestMedia;
  readonly #roots = new Map<string, Promise<unknown>>();
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

  /**
   * Each read runs once: who asks again gets the same answer.
   * @throws AppError of the procedure
   */
  read(verb: RootVerb, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { operations, scope, catalog } = this.parts;
    const key = `${verb} ${JSON.stringify(input)}`;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const answer = operations[verb].run(scope, { ...input, projectSlug: catalog.data.project.slug });
    this.#roots.set(key, answer);
    return answer;
  }

  /** Resets the count of entries, because the result is written again from what has been read. */
  restart(): void {
    this.#entries = 0;
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
   * Linked entries of each node in order, without missing and unpublished ones. Stops at the maximum reference depth,
   * which blocks of an entry do not add to (rule graphql/reads).
   */
  async follow(
    nodes: readonly EntryNode[],
    linksOf: (node: EntryNode) => readonly string[],
  ): Promise<EntryNode[][]> {
    const { maxReferenceDepth } = this.parts;
    const wanted = nodes.map((node) => {
      const isWithin = node.place.hops < maxReferenceDepth;
      return linksOf(node).filter(
        (id) => isUuid(id) && (isWithin || contentBlock(node.entry, id) !== undefined),
      );
    });
    // Counted before reading: nested lists cannot load more than allowed.
    this.#count(wanted);
    if (this.isOverLimit) return nodes.map(() => []);
    const documents = await loadEach(nodes, {
      loaderOf: ({ place: { loader } }) => loader,
      keysOf: ({ entry }, index) =>
        wanted[index]?.filter((id) => contentBlock(entry, id) === undefined) ?? [],
    });
    return nodes.map((node, index) => this.#targets(node, wanted[index] ?? [], documents[index] ?? []));
  }

  /** @param read documents of those that are not blocks of the entry, in their order */
  #targets(
    { entry: owner, place: { hops, ...origin } }: EntryNode,
    ids: readonly string[],
    read: readonly (StoredDocument | undefined)[],
  ): EntryNode[] {
    const further: EntryPlace = { ...origin, hops: hops + 1 };
    const own: EntryPlace = { ...origin, hops };
    let next = 0;
    return ids.flatMap((id) => {
      let document = contentBlock(owner, id);
      if (document === undefined) {
        document = read[next];
        next += 1;
      }
      const entry = document && presentContent(document, this.parts.catalog);
      return (entry && this.#node(entry, document?.ownerId === undefined ? further : own)) ?? [];
    });
  }

  /** Assets of each node in order, without missing ones. Counted as entries are. */
  async assets(
    nodes: readonly EntryNode[],
    idsOf: (node: EntryNode, index: number) => readonly string[],
  ): Promise<DeliveryMedia[][]> {
    const wanted = nodes.map((node, index) => idsOf(node, index).filter(isUuid));
    this.#count(wanted);
    if (this.isOverLimit) return nodes.map(() => []);
    const found = await loadEach(nodes, {
      loaderOf: ({ place: { media } }) => media,
      keysOf: (_node, index) => wanted[index] ?? [],
    });
    return found.map((assets) => assets.filter((asset) => asset !== undefined));
  }

  /** What texts of each node name, as readers see it. Counted as entries are. */
  async shown(nodes: readonly EntryNode[], named: readonly ReferencedIds[]): Promise<Shown[]> {
    const [entries, assets] = await Promise.all([
      Promise.all(nodes.map((node, index) => this.#shownEntries(node, named[index]?.entries ?? []))),
      this.assets(nodes, (_node, index) => named[index]?.assets ?? []),
    ]);
    return nodes.map((_node, index) => {
      const assetsById = new Map(assets[index]?.map((asset) => [asset.id, asset]));
      return { entry: (id) => entries[index]?.get(id), asset: (id) => assetsById.get(id) };
    });
  }

  async #shownEntries(
    { entry, place: { loader, paths, locale } }: EntryNode,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ShownEntry>> {
    const { scope, catalog } = this.parts;
    scope.trace.addEntries(ids);
    this.#count([ids]);
    if (this.isOverLimit || ids.length === 0) return new Map();
    const documents = (await loader.load(ids)).filter((document) => document !== undefined);
    const found = await paths().load(
      documents.map((document) => ({ ...pathed(document), requested: locale })),
    );
    return new Map(
      documents.map((document, index) => {
        const path = found[index] ?? null;
        const site = catalog.site(document.siteId);
        const href = path === null ? null : hrefOf(path, site, entry._siteId);
        return [document.id, shownEntry(document, { catalog }, { path, href })] as const;
      }),
    );
  }

  #count(ids: readonly (readonly string[])[]): void {
    for (const { length } of ids) this.#entries += length;
  }

  #node(entry: EntryContent, place: EntryPlace): EntryNode | null {
    const typeName = this.parts.typeNames.get(entry._type);
    return typeName === undefined || this.isOverLimit ? null : { typeName, entry, place };
  }
}
