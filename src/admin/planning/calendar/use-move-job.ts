import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { onDay } from './days.js';
import { refreshCalendar, type CalendarItem } from './use-calendar.js';

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
