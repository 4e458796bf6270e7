import { invalidInput } from '../../../../contracts/errors.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import type { calendar } from '../../../../contracts/publishing/calendar/calendar.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { CalendarItem } from '../../../../contracts/publishing/calendar/calendar-item.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CalendarRepository, type CalendarQuery, type StoredItem } from './calendar.repository.js';

const DAY = 86_400_000;

interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** @throws AppError 422 for a range that is empty or too long */
function rangeOf(now: Date, given: { from?: string | undefined; to?: string | undefined }): Range {
  const from = new Date(given.from ?? now.getTime() - 30 * DAY);
  const to = new Date(given.to ?? now.getTime() + 60 * DAY);
  const days = (to.getTime() - from.getTime()) / DAY;
  if (days > 0 && days <= limits.calendarDays) return { from, to };
  const message = `The range must be positive and at most ${String(limits.calendarDays)} days.`;
  throw invalidInput({ path: [given.to === undefined ? 'from' : 'to'], code: 'invalid_range', message });
}

type Filters = {
  [Name in 'siteId' | 'locale' | 'kind' | 'status']?: InputOf<typeof calendar.list>[Name] | undefined;
};

export const filtersOf = (given: Filters): Omit<CalendarQuery, 'from' | 'to'> => ({
  siteIds: given.siteId ?? null,
  locales: given.locale ?? null,
  kinds: given.kind ?? null,
  statuses: given.status ?? null,
});

const presentItem = ({
  scheduledAt,
  completedAt,
  error,
  updatedAt: _updatedAt,
  ...item
}: StoredItem): CalendarItem => ({
  ...item,
  scheduledAt: scheduledAt.toISOString(),
  completedAt: completedAt?.toISOString() ?? null,
  error: error && { code: error.code, message: error.message },
});

export async function listCalendar(
  work: UnitOfWork,
  input: InputOf<typeof calendar.list>,
): Promise<{ data: CalendarItem[]; meta: PageMeta }> {
  const query = { ...rangeOf(work.now, input), ...filtersOf(input) };
  const { limit, page } = input;
  const { items, total } = await work
    .use(CalendarRepository)
    .list(query, { limit, offset: (page - 1) * limit });
  return listEnvelope({ items: items.map(presentItem), total }, input);
}
