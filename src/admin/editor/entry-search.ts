import { textValue } from '../ui/search-values.js';
import { panels, type Panel } from './panels.js';

/** What the editor shows of an entry, which is in the address. */
export interface EntrySearch {
  readonly locale?: string | undefined;
  readonly panel?: Panel | undefined;
  /** Id of a comment: its thread is shown. */
  readonly thread?: string | undefined;
}

export const readEntrySearch = ({ locale, panel, thread }: Record<string, unknown>): EntrySearch => ({
  locale: textValue(locale),
  panel: panels.find((one) => one === panel),
  thread: textValue(thread),
});
