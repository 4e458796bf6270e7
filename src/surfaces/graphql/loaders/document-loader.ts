import DataLoader from 'dataloader';
import type { StoredDocument } from '../../../features/delivery/index.js';

/** Loads one entry by id, together with all others asked for in the same tick. */
export type EntryLoader = DataLoader<string, StoredDocument | undefined>;

/**
 * A loader that asks `read` once per tick for the distinct ids of all fields: N entries with their authors
 * and categories cost one statement per hop (specification 4.2 rule 3). Lives as long as its request.
 */
export function createEntryLoader(
  read: (ids: readonly string[]) => Promise<readonly StoredDocument[]>,
): EntryLoader {
  return new DataLoader(async (ids) => {
    const documents = new Map((await read(ids)).map((document) => [document.id, document]));
    return ids.map((id) => documents.get(id));
  });
}
