import { limits } from '../../../contracts/limits.js';
import { client, type Outputs } from '../api/client.js';

export type BulkItem = Outputs['entries']['bulk']['data']['results'][number];
export type ListAction = 'publish' | 'unpublish' | 'delete';

interface BulkRun {
  readonly projectSlug: string;
  readonly action: ListAction;
  readonly entryIds: readonly string[];
  /** Deleting concerns every locale. */
  readonly locale: string | undefined;
}

/**
 * Runs an action on any number of entries, as many per call as the service takes, one call after the other.
 * @param onItems receives the outcomes of each call, so that those before a failure are known
 */
export async function runBulk(
  { projectSlug, action, entryIds, locale }: BulkRun,
  onItems: (items: readonly BulkItem[]) => void,
): Promise<void> {
  const params = action === 'delete' || locale === undefined ? {} : { locale };
  for (let start = 0; start < entryIds.length; start += limits.bulkEntries) {
    const part = entryIds.slice(start, start + limits.bulkEntries);
    const { data } = await client.entries.bulk.mutate({ projectSlug, action, entryIds: part, params });
    onItems(data.results);
  }
}
