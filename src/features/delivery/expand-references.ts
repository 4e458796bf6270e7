import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { presentDocument, type StoredDocument } from './document.js';
import {
  FollowedReferences,
  linkFields,
  mediaFields,
  type ExpansionParts,
  type Referring,
} from './follow-references.js';
import { showMedia } from './show-media.js';

/** Inlines references to the requested depth (specification 4.1 rule 3). */
class Expander {
  constructor(
    private readonly references: FollowedReferences,
    private readonly paths?: ReadonlyMap<string, string | null>,
  ) {}

  present(document: StoredDocument, hops: number, path: readonly string[]): DeliveryEntry {
    const values = this.fields(document, hops, path);
    const { catalog } = this.references;
    return presentDocument(document, catalog, { values, path: this.paths?.get(document.id) });
  }

  /** @param path ids from the root to this document; references to them stay links */
  fields(document: Referring, hops: number, path: readonly string[]): Record<string, unknown> {
    const fields = { ...document.fields };
    if (hops === 0) return fields;
    const { catalog, media } = this.references;
    const here = [...path, document.id];
    const expand = (link: unknown): unknown => {
      const target = this.references.take(link, here);
      return target === undefined ? link : this.present(target, hops - 1, here);
    };
    for (const { apiName } of linkFields(document, catalog)) {
      const value = fields[apiName];
      fields[apiName] = Array.isArray(value) ? value.map(expand) : expand(value);
    }
    if (media.size > 0)
      for (const { apiName } of mediaFields(document, catalog))
        fields[apiName] = showMedia(fields[apiName], media);
    return fields;
  }
}

export interface Presented {
  readonly entries: DeliveryEntry[];
  /** Every document that the entries contain. */
  readonly documents: StoredDocument[];
}

/** Documents in delivery shape with expanded references. */
export async function expandDocuments(
  documents: readonly StoredDocument[],
  parts: ExpansionParts,
): Promise<Presented> {
  const references = await FollowedReferences.of(documents, parts);
  const contained = [...documents, ...references.documents];
  const paths = parts.readPaths && (await parts.readPaths(contained));
  const expander = new Expander(references, paths);
  const entries = documents.map((document) => expander.present(document, parts.expansion.hops, []));
  return { entries, documents: contained };
}

/** The values of one entry with expanded references. */
export async function expandValues(root: Referring, parts: ExpansionParts): Promise<Record<string, unknown>> {
  const references = await FollowedReferences.of([root], parts);
  return new Expander(references).fields(root, parts.expansion.hops, []);
}
