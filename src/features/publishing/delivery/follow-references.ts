import type { LinkObject } from '../../../../contracts/publishing/delivery/content-entry.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import type { Catalog, FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { linkFieldsOf, mediaFieldsOf, textFieldsOf } from '../../../content/links.js';
import { valueOf, type DocumentSource, type StoredDocument } from './document.js';
import type { ShownEntry, Shown } from '../../../content/rich-text/show-references.js';
import type { ReadMedia } from './delivery-trace.js';
import { mayNameSomething, namedInValue, type ReferencedIds } from './shown-values.js';

interface Expansion {
  readonly hops: number;
  /** Fallback chain of the request, best first. */
  readonly locales: readonly string[];
  /** Whether own blocks are expanded on every level, without a hop. */
  readonly withBlocks?: boolean | undefined;
}

/** Where a document is shown. */
export interface ShownPlace {
  /** Hops that are left. */
  readonly hops: number;
  /** Ids from the root to the document that refers to this one; references to them stay links. */
  readonly path: readonly string[];
}

/** Public paths of documents by id, read in one statement. */
export type ReadPaths = (documents: readonly StoredDocument[]) => Promise<ReadonlyMap<string, string | null>>;

/** How the entries that texts name are shown. */
export interface TextLinks {
  /**
   * @param ids of every entry that is named, also of those that readers do not see
   * @param documents those that they see
   */
  show(
    ids: readonly string[],
    documents: readonly StoredDocument[],
  ): Promise<ReadonlyMap<string, ShownEntry>>;
}

export interface ExpansionParts {
  readonly source: DocumentSource;
  readonly catalog: Catalog;
  readonly expansion: Expansion;
  /** Set if the request asks for paths. */
  readonly readPaths?: ReadPaths | undefined;
  /** Unset: assets stay links. */
  readonly media?: ReadMedia | undefined;
  /** Unset: texts stay as they are stored. */
  readonly texts?: TextLinks | undefined;
}

/** Entries in one response. Beyond it references stay links, which bounds memory. */
const MAXIMUM_EXPANSIONS = 10_000;

export type Referring = Pick<StoredDocument, 'id' | 'contentTypeId' | 'fields' | 'body' | 'ownBlocks'>;

const noFields: readonly FieldDefinition[] = [];

export const fieldsOf = ({ contentTypeId }: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  catalog.contentTypeById(contentTypeId)?.fields ?? noFields;

const linkFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  linkFieldsOf(fieldsOf(document, catalog));

export const mediaFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  mediaFieldsOf(fieldsOf(document, catalog));

export const textFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  textFieldsOf(fieldsOf(document, catalog));

const linksIn = (value: unknown): LinkObject[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item): item is LinkObject => typeof item === 'object' && item !== null,
  );

const nothing: ReferencedIds = { entries: [], assets: [] };

function namedBy(document: Referring, { apiName }: FieldDefinition): ReferencedIds {
  const json = document.body?.line(apiName);
  return json === undefined || mayNameSomething(json) ? namedInValue(valueOf(document, apiName)) : nothing;
}

/** The own blocks of documents on all levels. */
function blocksIn(documents: readonly Referring[], catalog: Catalog): StoredDocument[] {
  const blocks: StoredDocument[] = [];
  const holders = [...documents];
  for (const holder of holders) {
    if (holder.ownBlocks === undefined) continue;
    for (const { apiName } of linkFields(holder, catalog))
      for (const { _ref: id } of linksIn(valueOf(holder, apiName))) {
        const block = holder.ownBlocks.get(id);
        if (block === undefined) continue;
        blocks.push(block);
        holders.push(block);
      }
  }
  return blocks;
}

/** What the expanded documents contain. */
interface Loaded {
  readonly documents: ReadonlyMap<string, StoredDocument>;
  readonly media: ReadonlyMap<string, DeliveryMedia>;
  /** Entries that texts name; undefined where texts stay as they are stored. */
  readonly entries: ReadonlyMap<string, ShownEntry> | undefined;
}

/** What the documents that are expanded name besides references. */
class NamedByDocuments {
  readonly assets = new Set<string>();
  readonly entries = new Set<string>();

  constructor(private readonly parts: ExpansionParts) {}

  /** @param isExpanded whether its references are; texts are shown in every document of a response with references */
  add(document: Referring, isExpanded: boolean): void {
    const { catalog, media, texts } = this.parts;
    if (media === undefined && texts === undefined) return;
    for (const field of isExpanded ? mediaFields(document, catalog) : textFields(document, catalog)) {
      const named = namedBy(document, field);
      for (const id of named.assets) this.assets.add(id);
      for (const id of named.entries) this.entries.add(id);
    }
  }
}

/** Entries that texts name, as readers see them: what was not loaded as a reference is read with one statement. */
async function shownEntries(
  named: ReadonlySet<string>,
  loaded: ReadonlyMap<string, StoredDocument>,
  { source, expansion: { locales, hops }, texts }: ExpansionParts,
): Promise<ReadonlyMap<string, ShownEntry> | undefined> {
  if (texts === undefined || hops === 0) return undefined;
  const missing = [...named].filter((id) => !loaded.has(id));
  const read = missing.length > 0 ? await source.byIds(missing, locales) : [];
  const documents = [...named].flatMap((id) => loaded.get(id) ?? []);
  return texts.show([...named], [...documents, ...read]);
}

/**
 * Loads the referenced documents with one statement per hop, own blocks with none, and what texts name, its paths, and
 * the assets of all hops with one more each.
 */
async function loadHops(roots: readonly Referring[], parts: ExpansionParts): Promise<Loaded> {
  const { source, catalog, expansion, media } = parts;
  const loaded = new Map<string, StoredDocument>();
  const named = new NamedByDocuments(parts);
  const { withBlocks = false } = expansion;
  const withTheirBlocks = (documents: readonly Referring[]): readonly Referring[] => {
    if (!withBlocks) return documents;
    const blocks = blocksIn(documents, catalog);
    for (const block of blocks) loaded.set(block.id, block);
    return [...documents, ...blocks];
  };
  let layer = withTheirBlocks(roots);
  for (let hop = 0; hop < expansion.hops && layer.length > 0; hop += 1) {
    const ids = new Set<string>();
    const own: StoredDocument[] = [];
    for (const document of layer)
      for (const { apiName } of linkFields(document, catalog))
        for (const { _ref: id } of linksIn(valueOf(document, apiName))) {
          const block = document.ownBlocks?.get(id);
          if (block === undefined) ids.add(id);
          else if (!withBlocks) own.push(block);
        }
    const linked = await source.byIds(
      [...ids].filter((id) => !loaded.has(id)),
      expansion.locales,
    );
    const found = [...own, ...linked];
    for (const document of layer) named.add(document, true);
    for (const document of found) loaded.set(document.id, document);
    layer = withTheirBlocks(found);
  }
  if (expansion.hops > 0 && parts.texts !== undefined)
    for (const document of layer) named.add(document, false);
  const [shown, entries] = await Promise.all([
    named.assets.size > 0 ? media?.([...named.assets], expansion.locales) : undefined,
    shownEntries(named.entries, loaded, parts),
  ]);
  return { documents: loaded, media: shown ?? new Map<string, DeliveryMedia>(), entries };
}

/** The references of one response, loaded to the requested depth. */
export class FollowedReferences {
  #expansions = 0;

  private constructor(
    private readonly loaded: Loaded,
    readonly catalog: Catalog,
    private readonly withBlocks: boolean,
  ) {}

  static async of(roots: readonly Referring[], parts: ExpansionParts): Promise<FollowedReferences> {
    const { catalog, expansion } = parts;
    return new FollowedReferences(await loadHops(roots, parts), catalog, expansion.withBlocks ?? false);
  }

  get documents(): Iterable<StoredDocument> {
    return this.loaded.documents.values();
  }

  /** Whether texts are shown with what they name. */
  get showsTexts(): boolean {
    return this.loaded.entries !== undefined;
  }

  /** Whether values of media and texts differ from what is stored. */
  get showsValues(): boolean {
    return this.showsTexts || this.loaded.media.size > 0;
  }

  /** What values name, as readers see it. */
  get shown(): Shown {
    const { media, entries } = this.loaded;
    return { asset: (id) => media.get(id), entry: (id) => entries?.get(id) };
  }

  /** Fields of a document whose links are followed with so many hops left. */
  followedFields(document: Referring, hops: number): readonly FieldDefinition[] {
    if (hops > 0) return linkFields(document, this.catalog);
    if (!this.withBlocks || document.ownBlocks === undefined) return noFields;
    return linkFields(document, this.catalog).filter((field) => kindOf(field).takesBlocks);
  }

  /** The document to show in place of a link of a document, and where; undefined if the link stays. Counts it. */
  follow(
    link: unknown,
    document: Referring,
    { hops, path }: ShownPlace,
  ): { readonly target: StoredDocument; readonly place: ShownPlace } | undefined {
    if (typeof link !== 'object' || link === null) return undefined;
    const { _ref: id } = link as LinkObject;
    const isPart = this.withBlocks && document.ownBlocks?.has(id) === true;
    const left = isPart ? hops : hops - 1;
    const target = this.loaded.documents.get(id);
    if (target === undefined || left < 0 || this.#expansions >= MAXIMUM_EXPANSIONS) return undefined;
    if (id === document.id || path.includes(id)) return undefined;
    this.#expansions += 1;
    return { target, place: { hops: left, path: [...path, document.id] } };
  }
}
