import { limits } from '../../../contracts/limits.js';
import { client, type Outputs } from '../api/client.js';

export type BulkItem = Outputs['entries']['bulk']['data']['results'][number];
type BulkInput = Parameters<typeof client.entries.bulk.mutate>[0];
export type ListAction = BulkInput['action'];
export type BulkParams = Omit<NonNullable<BulkInput['params']>, 'locale' | 'atomic'>;

/** Where a transition goes, and the note on it. */
export interface BulkStep {
  readonly to: string;
  readonly comment: string;
}

interface BulkRun {
  readonly projectSlug: string;
  readonly action: ListAction;
  readonly entryIds: readonly string[];
  readonly locale: string | undefined;
  readonly params?: BulkParams | undefined;
}

/** Those that concern every locale. */
const ofEveryLocale: ReadonlySet<ListAction> = new Set(['delete', 'move', 'duplicate']);

/**
 * Runs an action on any number of entries, as many per call as the service takes, one call after the other.
 * @param onItems receives the outcomes of each call, so that those before a failure are known
 */
export async function runBulk(
  { projectSlug, action, entryIds, locale, params }: BulkRun,
  onItems: (items: readonly BulkItem[]) => void,
): Promise<void> {
  const own = locale === undefined || ofEveryLocale.has(action) ? {} : { locale };
  for (let start = 0; start < entryIds.length; start += limits.bulkEntries) {
    const part = entryIds.slice(start, start + limits.bulkEntries);
    const { data } = await client.entries.bulk.mutate({
      projectSlug,
      action,
      entryIds: part,
      params: { ...params, ...own },
    });
    onItems(data.results);
  }
}
