import { priorities } from './statuses.js';
import { textValue } from '../../ui/search-values.js';

/** What the board shows, which is in the address. */
export interface BoardSearch {
  /** Into which the board translates; absent: the first one that is not a source. */
  readonly locale?: string | undefined;
  readonly type?: string | undefined;
  readonly site?: string | undefined;
  /** Id of a user. */
  readonly assignee?: string | undefined;
  readonly priority?: (typeof priorities)[number] | undefined;
}

const text = (value: unknown) => textValue(value, 100);

export const readBoardSearch = (given: Record<string, unknown>): BoardSearch => ({
  locale: text(given.locale),
  type: text(given.type),
  site: text(given.site),
  assignee: text(given.assignee),
  priority: priorities.find((priority) => priority === given.priority),
});
