import { useQuery } from '@tanstack/react-query';
import { api, client, queryClient, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { daysAfter, onDay, startOfDay, type CalendarSearch } from './days.js';
import { failureOf } from '../../api/failure.js';
import { formatTime, t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';

export type CalendarItem = Outputs['calendar']['list']['data'][number];
export type DueTask = Outputs['tasks']['list']['data'][number];

const PAGE_SIZE = 100;
/** More than people look at in a month; filters show the rest. */
const PAGES = 5;

interface Range {
  readonly first: string;
  readonly last: string;
}

/** What happens from one day to another, with the number of all items. */
export function useCalendar({ first, last }: Range, { kind, status, site, locale }: CalendarSearch) {
  const { slug: projectSlug } = useProject();
  const input = {
    projectSlug,
    limit: PAGE_SIZE,
    from: startOfDay(first),
    to: startOfDay(daysAfter(last, 1)),
    ...(kind !== undefined && { kind: [kind] }),
    ...(status !== undefined && { status: [status] }),
    ...(site !== undefined && { siteId: [site] }),
    ...(locale !== undefined && { locale: [locale] }),
  };
  return useQuery({
    queryKey: [...api.calendar.list.queryKey(input), 'pages'],
    queryFn: async () => {
      const { data, meta } = await client.calendar.list.query(input);
      const items = [...data];
      for (let page = 2; page <= Math.min(PAGES, meta.pages); page += 1)
        items.push(...(await client.calendar.list.query({ ...input, page })).data);
      return { items, total: meta.total };
    },
  });
}

/** What waits for the user, soonest due first. */
export function useDueTasks() {
  const { slug: projectSlug } = useProject();
  const query = useQuery(api.tasks.list.queryOptions({ projectSlug, limit: PAGE_SIZE }, { retry: false }));
  return (query.data?.data ?? []).filter(({ dueAt }) => dueAt !== null);
}

export function refreshCalendar(): void {
  void queryClient.invalidateQueries({ queryKey: api.calendar.pathKey() });
}

/** Jobs that have not run can be moved; what has happened cannot. */
export const isMovable = ({ kind, status }: CalendarItem): boolean =>
  status === 'scheduled' && (kind === 'publish' || kind === 'unpublish' || kind === 'release');

/** Moves a job to the same time of another day. */
export function useMoveJob(): (item: CalendarItem, day: string) => Promise<void> {
  const { slug: projectSlug, may } = useProject();
  return async (item, day) => {
    if (!isMovable(item) || !may('calendar.reschedule')) return;
    const { id: jobId, timezone, scheduledAt } = item;
    const time = onDay(scheduledAt, day);
    if (time === scheduledAt) return;
    try {
      await client.calendar.reschedule.mutate({ projectSlug, jobId, scheduledAt: time, timezone });
      notify(t('calendar.moved', { title: item.entryTitle, time: formatTime(time) }));
    } catch (error) {
      notifyFailure(new Error(failureOf(error).problem));
    }
    refreshCalendar();
  };
}
