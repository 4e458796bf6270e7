import type { Catalog } from '../../../content/catalog.js';
import { placeOf } from './filter-terms.js';

/** Places of the fields of types by name. */
export function placesIn(catalog: Catalog, environmentId: string) {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return (contentTypeId: string): ReadonlyMap<string, number> => {
    const fields = catalog.contentTypeById(contentTypeId)?.fields ?? [];
    const places =
      known.get(contentTypeId) ??
      new Map(
        fields.map(({ apiName }) => [apiName, placeOf({ environmentId, contentTypeId, apiName })] as const),
      );
    known.set(contentTypeId, places);
    return places;
  };
}
