import { limits } from '../../../contracts/limits.js';
import { client, type Outputs } from '../api/client.js';

export type BulkItem = Outputs['entries']['bulk']['data']['results'][number];
export type ListAction = 'publish' | 'unpublish' | 'delete' | 'workflowTransition';

/** Where a transition goes, and the note on it. */
export interface BulkStep {
  readonly to: string;
  readonly comment: string;
}

interface BulkRun {
  readonly projectSlug: string;
  readonly action: ListAction;
  readonly entryIds: readonly string[];
  /** Deleting concerns every locale. */
  readonly locale: string | undefined;
  /** Of transitions. */
  readonly step?: BulkStep | undefined;
}

/** The parameters that an action takes. */
function paramsOf({ action, locale, step }: BulkRun) {
  if (action === 'delete') return {};
  const comment = step?.comment.trim();
  return {
    ...(locale !== undefined && { locale }),
    ...(step !== undefined && { to: step.to }),
    ...(comment && { comment }),
  };
}

/**
 * Runs an action on any number of entries, as many per call as the service takes, one call after the other.
 * @param onItems receives the outcomes of each call, so that those before a failure are known
 */
export async function runBulk(run: BulkRun, onItems: (items: readonly BulkItem[]) => void): Promise<void> {
  const { projectSlug, action, entryIds } = run;
  const params = paramsOf(run);
  for (let start = 0; start < entryIds.length; start += limits.bulkEntries) {
    const part = entryIds.slice(start, start + limits.bulkEntries);
    const { data } = await client.entries.bulk.mutate({ projectSlug, action, entryIds: part, params });
    onItems(data.results);
  }
}
