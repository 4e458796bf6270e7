import { publicPath } from '../../../content/route-path.js';
import type { Catalog } from '../../../content/catalog.js';
import { type StoredDocument, presentDocument } from './document.js';
import type { DeliveryRead } from './delivery-read.js';
import {
  type ReadPaths,
  FollowedReferences,
  linkFields,
  mediaFields,
  textFields,
  type ExpansionParts,
  type Referring,
} from './follow-references.js';
import { pathKey, type RouteSource } from './route-source.js';
import type { DeliveryEntry } from '../../../../contracts/publishing/delivery/delivery-entry.js';
import { showValue } from './shown-values.js';

interface PathParts {
  readonly catalog: Catalog;
  readonly routes: RouteSource;
  /** Whether drafts have paths, too. */
  readonly isPreview: boolean;
}

export type PathedDocument = Pick<StoredDocument, 'id' | 'siteId' | 'locale'>;

/**
 * Public paths of documents in the locales requested, in their order; null without a route, or if another page has its
 * path. One statement.
 */
export async function publicPaths(
  { catalog, routes, isPreview }: PathParts,
  documents: readonly (PathedDocument & { readonly requested: string })[],
): Promise<(string | null)[]> {
  const queries = documents.map(({ id, siteId, locale, requested }) => ({
    entryId: id,
    siteId,
    locale: requested,
    servedLocale: locale,
  }));
  const places = await routes.pathsOf(queries, isPreview);
  return queries.map((query) => {
    const place = places.get(pathKey(query));
    const site = place && catalog.site(place.siteId);
    if (place === undefined || site === undefined || place.isShadowed) return null;
    return publicPath(site, query.locale, place.path);
  });
}

/** Reads the paths of one response in the first locale of its chain. */
export function pathReader(
  { catalog, source, routes }: DeliveryRead,
  [requested = '']: readonly string[],
): ReadPaths {
  const parts = { catalog, routes, isPreview: source.isPreview };
  return async (documents) => {
    const paged = documents.filter(({ ownerId }) => ownerId === undefined);
    const unique = [...new Map(paged.map((document) => [document.id, document])).values()];
    const paths = await publicPaths(
      parts,
      unique.map(({ id, siteId, locale }) => ({ id, siteId, locale, requested })),
    );
    const blocks = documents.filter(({ ownerId }) => ownerId !== undefined);
    return new Map<string, string | null>([
      ...blocks.map(({ id }) => [id, null] as const),
      ...unique.map(({ id }, index) => [id, paths[index] ?? null] as const),
    ]);
  };
}

/** Inlines references to the requested depth (rule delivery/entry). */
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
    const { catalog, shown, showsTexts, showsValues } = this.references;
    if (hops === 0) {
      if (showsTexts)
        for (const { apiName } of textFields(document, catalog))
          fields[apiName] = showValue(fields[apiName], shown);
      return fields;
    }
    const here = [...path, document.id];
    const expand = (link: unknown): unknown => {
      const target = this.references.take(link, here);
      return target === undefined ? link : this.present(target, hops - 1, here);
    };
    for (const { apiName } of linkFields(document, catalog)) {
      const value = fields[apiName];
      fields[apiName] = Array.isArray(value) ? value.map(expand) : expand(value);
    }
    if (showsValues)
      for (const { apiName } of mediaFields(document, catalog))
        fields[apiName] = showValue(fields[apiName], shown);
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
