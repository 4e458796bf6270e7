import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, localeName, t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { localTime } from './days.js';
import { isMovable, refreshCalendar, type CalendarItem } from './use-calendar.js';

interface Props {
  readonly item: CalendarItem;
  readonly onClose: () => void;
}

function Facts({ item }: Pick<Props, 'item'>) {
  const { slug, environment } = useProject();
  const { entryId, releaseId, entryTitle, kind, status, locale, scheduledAt, timezone, createdBy, error } =
    item;
  return (
    <>
      <p>
        {releaseId !== null ? (
          <Link
            params={{ project: slug, environment, release: releaseId }}
            to="/$project/$environment/releases/$release"
          >
            {entryTitle}
          </Link>
        ) : entryId === null || locale === null ? (
          entryTitle
        ) : (
          <>
            <Link
              params={{ project: slug, environment, entry: entryId }}
              search={{ locale }}
              to="/$project/$environment/entries/$entry"
            >
              {entryTitle || t('entry.untitled')}
            </Link>{' '}
            · {localeName(locale)}
          </>
        )}
      </p>
      <p className="soft">
        {[
          t(`calendar.kind.${kind}`),
          t(`calendar.status.${status}`),
          `${formatTime(scheduledAt)} (${timezone})`,
          createdBy.name,
        ].join(' · ')}
      </p>
      {error !== null && <p className="notice bad">{error.message}</p>}
      {item.conflicts.length > 0 && (
        <p className="notice">{t('calendar.conflictHint', { count: item.conflicts.length })}</p>
      )}
    </>
  );
}

/** Makes the job of an ended key the caller's. */
function Adoption({ item: { id: jobId, entryTitle }, onClose }: Props) {
  const { slug: projectSlug, may } = useProject();
  const adopt = async (): Promise<void> => {
    await client.calendar.adopt.mutate({ projectSlug, jobId });
    notify(t('calendar.adopted', { title: entryTitle }));
    refreshCalendar();
    onClose();
  };
  return (
    <div className="notice row wrap">
      <p className="grow">{t('calendar.orphanedHint')}</p>
      {may('calendar.adopt') && <ActionButton label={t('calendar.adopt')} run={adopt} />}
    </div>
  );
}

/** A job or publication; a job that waits is moved or canceled. */
export function JobDialog({ item, onClose }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [message, setMessage] = useState('');
  const { id: jobId, timezone, entryTitle } = item;
  const canMove =
    isMovable(item) && may('calendar.reschedule') && (item.kind !== 'release' || may('releases.publish'));
  const change = async (scheduledAt: string | null): Promise<void> => {
    try {
      // A zone belongs to a time.
      const zone = scheduledAt === null ? {} : { timezone };
      await client.calendar.reschedule.mutate({ projectSlug, jobId, scheduledAt, ...zone });
      notify(
        scheduledAt === null
          ? t('calendar.canceled', { title: entryTitle })
          : t('calendar.moved', { title: entryTitle, time: formatTime(scheduledAt) }),
      );
      onClose();
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.problem);
    }
    refreshCalendar();
  };
  return (
    <Dialog onClose={onClose} title={t(`calendar.kind.${item.kind}`)}>
      <Facts item={item} />
      {item.orphaned && <Adoption item={item} onClose={onClose} />}
      {canMove && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            const time = new FormData(event.currentTarget).get('time') as string;
            void change(new Date(time).toISOString());
          }}
        >
          <label className="field">
            <span className="label">{t('calendar.time')}</span>
            <input
              className="input date-time"
              data-focus
              defaultValue={localTime(item.scheduledAt)}
              name="time"
              required
              type="datetime-local"
            />
          </label>
          <DialogFooter refusal={message} run={t('calendar.move')}>
            <button className="button danger" onClick={() => void change(null)} type="button">
              {t('calendar.cancel')}
            </button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
