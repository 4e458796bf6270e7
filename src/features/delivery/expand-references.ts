import type { DeliveryEntry, LinkObject } from '../../../contracts/resources/delivery-entry.js';
import type { DeliveryMedia } from '../../../contracts/resources/media-asset.js';
import type { Catalog, FieldDefinition } from '../../content/catalog.js';
import { linkFieldsOf, mediaFieldsOf } from '../../content/links.js';
import { presentDocument, type DocumentSource, type StoredDocument } from './document.js';
import type { ReadMedia } from './read-media.js';
import { mediaIdsIn, showMedia } from './show-media.js';

interface Expansion {
  readonly hops: number;
  /** Fallback chain of the request, best first. */
  readonly locales: readonly string[];
}

/** Entries in one response. Beyond it references stay links, which bounds memory. */
const MAXIMUM_EXPANSIONS = 10_000;

type Referring = Pick<StoredDocument, 'id' | 'contentTypeId' | 'fields'>;

const noFields: readonly FieldDefinition[] = [];

const linkFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  linkFieldsOf(catalog.contentTypeById(document.contentTypeId)?.fields ?? noFields);

const linksIn = (value: unknown): LinkObject[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item): item is LinkObject => typeof item === 'object' && item !== null,
  );

const mediaFields = (document: Referring, catalog: Catalog): readonly FieldDefinition[] =>
  mediaFieldsOf(catalog.contentTypeById(document.contentTypeId)?.fields ?? noFields);

/** What the expanded documents contain. */
interface Loaded {
  readonly documents: ReadonlyMap<string, StoredDocument>;
  readonly media: ReadonlyMap<string, DeliveryMedia>;
}

/** Loads the referenced documents with one statement per hop, and the assets of all hops with one more. */
async function loadHops(roots: readonly Referring[], parts: ExpansionParts): Promise<Loaded> {
  const { source, catalog, expansion, media } = parts;
  const loaded = new Map<string, StoredDocument>();
  const mediaIds = new Set<string>();
  let layer: readonly Referring[] = roots;
  for (let hop = 0; hop < expansion.hops && layer.length > 0; hop += 1) {
    const ids = new Set(
      layer.flatMap((document) =>
        linkFields(document, catalog).flatMap(({ apiName }) =>
          linksIn(document.fields[apiName]).map(({ _ref }) => _ref),
        ),
      ),
    );
    const found = await source.byIds(
      [...ids].filter((id) => !loaded.has(id)),
      expansion.locales,
    );
    if (media !== undefined)
      for (const document of layer)
        for (const id of mediaIdsIn(document.fields, mediaFields(document, catalog))) mediaIds.add(id);
    for (const document of found) loaded.set(document.id, document);
    layer = found;
  }
  const shown = mediaIds.size > 0 ? await media?.([...mediaIds], expansion.locales) : undefined;
  return { documents: loaded, media: shown ?? new Map<string, DeliveryMedia>() };
}

/** Public paths of documents by id, read in one statement. */
export type ReadPaths = (documents: readonly StoredDocument[]) => Promise<ReadonlyMap<string, string | null>>;

interface ExpansionParts {
  readonly source: DocumentSource;
  readonly catalog: Catalog;
  readonly expansion: Expansion;
  /** Set if the request asks for paths. */
  readonly readPaths?: ReadPaths | undefined;
  /** Unset: assets stay links. */
  readonly media?: ReadMedia | undefined;
}

/** Inlines references to the requested depth (specification 4.1 rule 3). */
class Expander {
  #expansions = 0;

  constructor(
    private readonly loaded: Loaded,
    private readonly catalog: Catalog,
    private readonly paths?: ReadonlyMap<string, string | null>,
  ) {}

  present(document: StoredDocument, hops: number, path: readonly string[]): DeliveryEntry {
    const values = this.fields(document, hops, path);
    return presentDocument(document, this.catalog, { values, path: this.paths?.get(document.id) });
  }

  /** @param path ids from the root to this document; references to them stay links */
  fields(document: Referring, hops: number, path: readonly string[]): Record<string, unknown> {
    const fields = { ...document.fields };
    if (hops === 0) return fields;
    const here = [...path, document.id];
    const expand = (link: unknown): unknown => {
      if (typeof link !== 'object' || link === null) return link;
      const { _ref: id } = link as LinkObject;
      const target = this.loaded.documents.get(id);
      if (target === undefined || here.includes(id) || this.#expansions >= MAXIMUM_EXPANSIONS) return link;
      this.#expansions += 1;
      return this.present(target, hops - 1, here);
    };
    for (const { apiName } of linkFields(document, this.catalog)) {
      const value = fields[apiName];
      fields[apiName] = Array.isArray(value) ? value.map(expand) : expand(value);
    }
    if (this.loaded.media.size > 0)
      for (const { apiName } of mediaFields(document, this.catalog))
        fields[apiName] = showMedia(fields[apiName], this.loaded.media);
    return fields;
  }
}

/** Documents in delivery shape with expanded references, and every document they contain. */
export async function expandDocuments(
  documents: readonly StoredDocument[],
  parts: ExpansionParts,
): Promise<{ entries: DeliveryEntry[]; documents: StoredDocument[] }> {
  const loaded = await loadHops(documents, parts);
  const contained = [...documents, ...loaded.documents.values()];
  const paths = parts.readPaths && (await parts.readPaths(contained));
  const expander = new Expander(loaded, parts.catalog, paths);
  const entries = documents.map((document) => expander.present(document, parts.expansion.hops, []));
  return { entries, documents: contained };
}

/** The values of one entry with expanded references. */
export async function expandValues(root: Referring, parts: ExpansionParts): Promise<Record<string, unknown>> {
  const loaded = await loadHops([root], parts);
  return new Expander(loaded, parts.catalog).fields(root, parts.expansion.hops, []);
}
