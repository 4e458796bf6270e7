import { textValue } from '../ui/search-values.js';
import { panels, type Panel } from './panels.js';

/** What the editor shows of an entry, which is in the address. */
export interface EntrySearch {
  readonly locale?: string | undefined;
  /** Another locale that is shown beside it. */
  readonly beside?: string | undefined;
  readonly panel?: Panel | undefined;
  /** Id of a comment: its thread is shown. */
  readonly thread?: string | undefined;
  /** Path of a field that is shown first, as previews of a site name it. */
  readonly field?: string | undefined;
}

export const readEntrySearch = (given: Record<string, unknown>): EntrySearch => ({
  locale: textValue(given.locale),
  beside: textValue(given.beside),
  panel: panels.find((one) => one === given.panel),
  thread: textValue(given.thread),
  field: textValue(given.field),
});
