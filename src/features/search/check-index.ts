import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { IndexedContentRepository } from './content.repository.js';
import { SearchDocumentRepository } from './document.repository.js';
import { keyOf } from './document-rows.js';
import { SearchQueueRepository } from './queue.repository.js';
import { readDocuments } from './read-documents.js';
import type { SearchIndex } from './search-index.js';

/** A document of the index that differs from its entry. */
export interface IndexDifference {
  readonly of: string;
  readonly problem: string;
}

/** Entries compared at once. */
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Checked {
  readonly catalog: Catalog;
  readonly index: Pick<SearchIndex, 'hashes'>;
}

async function compare(
  work: UnitOfWork,
  { catalog, index }: Checked,
  entryIds: readonly string[],
): Promise<IndexDifference[]> {
  const documents = await readDocuments(work, catalog, entryIds);
  const indexed = new Map(
    (await work.use(SearchDocumentRepository).keys(entryIds)).map((row) => [keyOf(row), row.hash]),
  );
  const waiting = await work.use(SearchQueueRepository).waiting(entryIds);
  const expected = await index.hashes(work, documents);
  return [...new Set([...expected.keys(), ...indexed.keys()])].flatMap((key) => {
    const [, entryId = ''] = key.split(' ');
    const [wanted, actual] = [expected.get(key), indexed.get(key)];
    if (wanted === actual || waiting.has(entryId)) return [];
    const problem =
      actual === undefined ? 'missing' : wanted === undefined ? 'not content' : 'differs from the content';
    return [{ of: `search document ${key}`, problem }];
  });
}

/** Compares the index of the environment with its content; changes that wait to be indexed are no differences. */
export async function checkIndex(
  work: UnitOfWork,
  checked: Checked,
  limit: number,
): Promise<IndexDifference[]> {
  const found: IndexDifference[] = [];
  for (let after = FIRST_ID; found.length < limit;) {
    const ids = await work.use(IndexedContentRepository).idsAfter(after, BATCH);
    if (ids.length === 0) break;
    found.push(...(await compare(work, checked, ids)));
    after = ids.at(-1) ?? after;
  }
  return found.slice(0, limit);
}
