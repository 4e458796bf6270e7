import { isUuid } from '../../infrastructure/ids.js';
import type { DocumentSource, StoredDocument } from './document.js';

/** The document of an id in the best locale of a chain; undefined for an ill-formed id. */
export async function findDocument(
  source: DocumentSource,
  id: string,
  locales: readonly string[],
): Promise<StoredDocument | undefined> {
  if (locales.length === 0 || !isUuid(id)) return undefined;
  const [document] = await source.byIds([id.toLowerCase()], locales);
  return document;
}
