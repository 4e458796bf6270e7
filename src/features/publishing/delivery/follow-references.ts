import type { LinkObject } from '../../../../contracts/publishing/delivery/delivery-entry.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import type { Catalog, FieldDefinition } from '../../../content/catalog.js';
import { linkFieldsOf, mediaFieldsOf } from '../../../content/links.js';
import { valueOf, type DocumentSource, type StoredDocument } from './document.js';
import { type ReadMedia, mayNameMedia, mediaIdsIn } from './read-media.js';

interface Expansion {
  readonly hops: number;
  /** Fallback chain of the request, best first. */
  readonly locales: readonly string[];
}

/** Public paths of documents by id, read in one statement. */
export type ReadPaths = (documents: readonly StoredDocument[]) => Promise<ReadonlyMap<string, string | null>>;

export interface ExpansionParts {
  readonly source: DocumentSource;
  readonly catalog: Catalog;
  readonly expansion: Expansion;
  /** Set if the request asks for paths. */
  readonly readPaths?: ReadPaths | undefined;
  /** Unset: assets stay links. */
  readonly media?: ReadMedia | undefined;
}

/** Entries in one response. Beyond it references stay links, which bounds memory. */
const MAXIMUM_EXPANSIONS = 10_000;

export type Referring = Pick<StoredDocument, 'id' | 'contentTypeId' | 'fields' | 'body' | 'ownBlocks'>;

const noFields: readonly FieldDefinition[] = [];

export const fieldsOf = ({ contentTypeId }: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  catalog.contentTypeById(contentTypeId)?.fields ?? noFields;

export const linkFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  linkFieldsOf(fieldsOf(document, catalog));

export const mediaFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  mediaFieldsOf(fieldsOf(document, catalog));

const linksIn = (value: unknown): LinkObject[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item): item is LinkObject => typeof item === 'object' && item !== null,
  );

function mediaIdsOf(document: Referring, { apiName }: FieldDefinition): string[] {
  const json = document.body?.line(apiName);
  return json === undefined || mayNameMedia(json) ? mediaIdsIn(valueOf(document, apiName)) : [];
}

/** What the expanded documents contain. */
interface Loaded {
  readonly documents: ReadonlyMap<string, StoredDocument>;
  readonly media: ReadonlyMap<string, DeliveryMedia>;
}

/** Loads the referenced documents with one statement per hop, own blocks with none, and the assets of all hops with one more. */
async function loadHops(roots: readonly Referring[], parts: ExpansionParts): Promise<Loaded> {
  const { source, catalog, expansion, media } = parts;
  const loaded = new Map<string, StoredDocument>();
  const mediaIds = new Set<string>();
  let layer: readonly Referring[] = roots;
  for (let hop = 0; hop < expansion.hops && layer.length > 0; hop += 1) {
    const ids = new Set<string>();
    const own: StoredDocument[] = [];
    for (const document of layer)
      for (const { apiName } of linkFields(document, catalog))
        for (const { _ref: id } of linksIn(valueOf(document, apiName))) {
          const block = document.ownBlocks?.get(id);
          if (block === undefined) ids.add(id);
          else own.push(block);
        }
    const linked = await source.byIds(
      [...ids].filter((id) => !loaded.has(id)),
      expansion.locales,
    );
    const found = [...own, ...linked];
    if (media !== undefined)
      for (const document of layer)
        for (const field of mediaFields(document, catalog))
          for (const id of mediaIdsOf(document, field)) mediaIds.add(id);
    for (const document of found) loaded.set(document.id, document);
    layer = found;
  }
  const shown = mediaIds.size > 0 ? await media?.([...mediaIds], expansion.locales) : undefined;
  return { documents: loaded, media: shown ?? new Map<string, DeliveryMedia>() };
}

/** The references of one response, loaded to the requested depth. */
export class FollowedReferences {
  #expansions = 0;

  private constructor(
    private readonly loaded: Loaded,
    readonly catalog: Catalog,
  ) {}

  static async of(roots: readonly Referring[], parts: ExpansionParts): Promise<FollowedReferences> {
    return new FollowedReferences(await loadHops(roots, parts), parts.catalog);
  }

  get documents(): Iterable<StoredDocument> {
    return this.loaded.documents.values();
  }

  get media(): ReadonlyMap<string, DeliveryMedia> {
    return this.loaded.media;
  }

  /**
   * The document to show in place of a link, undefined if the link stays. Counts it.
   * @param path ids from the root to the document with the link; references to them stay links
   */
  take(link: unknown, path: readonly string[]): StoredDocument | undefined {
    if (typeof link !== 'object' || link === null) return undefined;
    const { _ref: id } = link as LinkObject;
    const target = this.loaded.documents.get(id);
    if (target === undefined || path.includes(id) || this.#expansions >= MAXIMUM_EXPANSIONS) return undefined;
    this.#expansions += 1;
    return target;
  }
}
