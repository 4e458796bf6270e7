import type { OutboxEvent } from '../../persistence/work/unit-of-work.js';
import type { EntryState } from './entry.presenter.js';

/** Event about one locale of an entry (decisions 2.20). */
export function entryEvent(
  verb: 'created' | 'updated' | 'published' | 'unpublished' | 'deleted' | 'restored' | 'moved',
  entry: EntryState,
  changedFields: readonly string[] = [],
): OutboxEvent {
  const { id, contentTypeApiName, siteId, locale, slug, version, status } = entry;
  return {
    type: `entry.${verb}`,
    data: { entryId: id, contentTypeApiName, siteId, locale, slug, version, status, changedFields },
  };
}
