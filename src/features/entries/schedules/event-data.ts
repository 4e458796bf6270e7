import type { Catalog } from '../../../content/catalog.js';
import { presentState } from '../entry.presenter.js';
import type { StoredEntry } from '../stored-entry.js';

/** The entry's part of an event about one of its jobs. */
export function entryData(catalog: Catalog, entry: StoredEntry, locale: string) {
  const { id, contentTypeApiName, siteId, slug, version, status } = presentState(entry, locale, catalog);
  return { entryId: id, contentTypeApiName, siteId, locale, slug, version, status };
}
