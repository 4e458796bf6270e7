import DataLoader from 'dataloader';
import type { StoredDocument } from '../../../features/delivery/index.js';

export type DocumentLoader = DataLoader<string, StoredDocument | undefined>;

/** Calls `read` once per tick with distinct ids (specification 4.2 rule 3). */
export function createDocumentLoader(
  read: (ids: readonly string[]) => Promise<readonly StoredDocument[]>,
): DocumentLoader {
  return new DataLoader(async (ids) => {
    const documents = new Map((await read(ids)).map((document) => [document.id, document]));
    return ids.map((id) => documents.get(id));
  });
}
