import type { DeliveryEntry, LinkObject } from '../../../contracts/resources/delivery-entry.js';
import type { Catalog, FieldDefinition } from '../../content/catalog.js';
import { linkFieldsOf } from '../../content/links.js';
import { presentDocument, type DocumentSource, type StoredDocument } from './document.js';

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

/** Loads the referenced documents with one statement per hop. */
async function loadHops(
  roots: readonly Referring[],
  parts: ExpansionParts,
): Promise<Map<string, StoredDocument>> {
  const { source, catalog, expansion } = parts;
  const loaded = new Map<string, StoredDocument>();
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
    for (const document of found) loaded.set(document.id, document);
    layer = found;
  }
  return loaded;
}

/** Public paths of documents by id, read in one statement. */
export type ReadPaths = (documents: readonly StoredDocument[]) => Promise<ReadonlyMap<string, string | null>>;

interface ExpansionParts {
  readonly source: DocumentSource;
  readonly catalog: Catalog;
  readonly expansion: Expansion;
  /** Set if the request asks for paths. */
  readonly readPaths?: ReadPaths | undefined;
}

/** Inlines references to the requested depth (specification 4.1 rule 3). */
class Expander {
  #expansions = 0;

  constructor(
    private readonly loaded: ReadonlyMap<string, StoredDocument>,
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
      const target = this.loaded.get(id);
      if (target === undefined || here.includes(id) || this.#expansions >= MAXIMUM_EXPANSIONS) return link;
      this.#expansions += 1;
      return this.present(target, hops - 1, here);
    };
    for (const { apiName } of linkFields(document, this.catalog)) {
      const value = fields[apiName];
      fields[apiName] = Array.isArray(value) ? value.map(expand) : expand(value);
    }
    return fields;
  }
}

/** Documents in delivery shape with expanded references, and every document they contain. */
export async function expandDocuments(
  documents: readonly StoredDocument[],
  parts: ExpansionParts,
): Promise<{ entries: DeliveryEntry[]; documents: StoredDocument[] }> {
  const loaded = await loadHops(documents, parts);
  const contained = [...documents, ...loaded.values()];
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
