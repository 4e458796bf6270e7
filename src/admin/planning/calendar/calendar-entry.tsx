import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatClock, t } from '../../texts/index.js';
import { dayOf, daysAfter } from './days.js';
import { isMovable } from './use-move-job.js';
import type { CalendarItem, DueTask } from './use-calendar.js';

interface Props {
  readonly item: CalendarItem;
  readonly focused: { current: string | undefined };
  readonly onOpen: () => void;
  readonly onMove: (day: string) => void;
  readonly onDrag: (transfer: DataTransfer) => void;
}

/** Days, with the Alt key. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

export function CalendarEntry({ item, focused, onOpen, onMove, onDrag }: Props) {
  const { may } = useProject();
  const { id, kind, status, entryTitle, locale, scheduledAt, conflicts, orphaned } = item;
  const canMove = isMovable(item) && may('calendar.reschedule');
  const onKey = (event: KeyboardEvent): void => {
    const step = event.altKey && canMove ? steps[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    onMove(daysAfter(dayOf(scheduledAt), step));
  };
  const words = [t(`calendar.kind.${kind}`), t(`calendar.status.${status}`), locale];
  if (conflicts.length > 0) words.push(t('calendar.conflict'));
  if (orphaned) words.push(t('calendar.orphaned'));
  return (
    <button
      className={`calendar-item ${kind} ${status}${orphaned ? ' orphaned' : ''}`}
      draggable={canMove}
      onClick={onOpen}
      onDragStart={(event) => onDrag(event.dataTransfer)}
      onKeyDown={onKey}
      ref={(button) => {
        if (button === null || focused.current !== id) return;
        focused.current = undefined;
        button.focus();
      }}
      title={words.join(', ')}
      type="button"
    >
      <span className="calendar-time">{formatClock(scheduledAt)}</span>{' '}
      <span className="clip">{entryTitle || t('entry.untitled')}</span>{' '}
      <span className="hidden-text">{words.join(', ')}</span>
    </button>
  );
}

export function TaskEntry({ task: { entryId, title, kind, locale, dueAt } }: { readonly task: DueTask }) {
  const { slug, environment } = useProject();
  return (
    <Link
      className="calendar-item task"
      params={{ project: slug, environment, entry: entryId }}
      search={{ locale: locale ?? undefined }}
      title={t(`task.kind.${kind}`)}
      to="/$project/$environment/entries/$entry"
    >
      <span className="calendar-time">{formatClock(dueAt ?? '')}</span>{' '}
      <span className="clip">{title || t('entry.untitled')}</span>{' '}
      <span className="hidden-text">{t('task.due', { kind: t(`task.kind.${kind}`) })}</span>
    </Link>
  );
}
