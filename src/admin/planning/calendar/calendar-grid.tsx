import { useRef, useState, type KeyboardEvent } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatClock, formatNumber, language, t } from '../../texts/index.js';
import { dayOf, startOfDay, today, daysAfter } from './days.js';
import { JobDialog } from './job-dialog.js';
import { useMoveJob, isMovable, type CalendarItem, type DueTask } from './use-calendar.js';
import { Link } from '@tanstack/react-router';

interface CalendarEntryProps {
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

function CalendarEntry({ item, focused, onOpen, onMove, onDrag }: CalendarEntryProps) {
  const { may } = useProject();
  const { id, kind, status, entryTitle, locale, scheduledAt, conflicts, orphaned } = item;
  const canMove = isMovable(item) && may('calendar.reschedule');
  const onKey = (event: KeyboardEvent): void => {
    const step = event.altKey && canMove ? steps[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    onMove(daysAfter(dayOf(scheduledAt), step));
  };
  const words = [
    t(`calendar.kind.${kind}`),
    t(`calendar.status.${status}`),
    ...(locale === null ? [] : [locale]),
  ];
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

function TaskEntry({ task: { entryId, title, kind, locale, dueAt } }: { readonly task: DueTask }) {
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

interface Props {
  readonly weeks: readonly (readonly string[])[];
  /** Days of other months are dimmed. Empty: none are. */
  readonly month: string;
  readonly items: readonly CalendarItem[];
  readonly tasks: readonly DueTask[];
}

const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
const whole = new Intl.DateTimeFormat(language, { dateStyle: 'full' });

/** What a drag carries: the id of a job. */
const DRAGGED = 'application/x-headwater-job';

function byDay<T>(all: readonly T[], instantOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(all, (one) => dayOf(instantOf(one)));
}

interface DayProps {
  readonly day: string;
  readonly isOther: boolean;
  readonly items: readonly CalendarItem[];
  readonly tasks: readonly DueTask[];
  readonly onOpen: (item: CalendarItem) => void;
  readonly onMove: (id: string, day: string) => void;
  /** The item that was moved by the keyboard gets the focus back. */
  readonly focused: { current: string | undefined };
}

/** Published and canceled items of a day that are shown at first; what waits always is. */
const SHOWN_AT_FIRST = 5;

function firstOf(items: readonly CalendarItem[], focused: string | undefined): readonly CalendarItem[] {
  const past = items.filter(({ status }) => status !== 'scheduled').slice(0, SHOWN_AT_FIRST);
  return items.filter((item) => item.status === 'scheduled' || item.id === focused || past.includes(item));
}

function DayItems({ items, tasks, onOpen, onMove, focused }: Omit<DayProps, 'day' | 'isOther'>) {
  const [isWhole, setIsWhole] = useState(false);
  const first = firstOf(items, focused.current);
  const hidden = items.length - first.length;
  return (
    <ul className="day-items">
      {(isWhole ? items : first).map((item) => (
        <li key={item.id}>
          <CalendarEntry
            focused={focused}
            item={item}
            onDrag={(transfer) => transfer.setData(DRAGGED, item.id)}
            onMove={(to) => onMove(item.id, to)}
            onOpen={() => onOpen(item)}
          />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button
            aria-expanded={isWhole}
            className="calendar-more"
            onClick={() => setIsWhole(!isWhole)}
            type="button"
          >
            {isWhole ? t('calendar.fewer') : t('calendar.more', { count: formatNumber(hidden) })}
          </button>
        </li>
      )}
      {tasks.map((task) => (
        <li key={`${task.kind} ${task.entryId} ${task.locale ?? ''} ${task.commentId ?? ''}`}>
          <TaskEntry task={task} />
        </li>
      ))}
    </ul>
  );
}

function Day({ day, isOther, items, tasks, onOpen, onMove, focused }: DayProps) {
  const [isOver, setIsOver] = useState(false);
  const isFree = items.length === 0 && tasks.length === 0;
  const classes = ['day', isOther && 'other', isFree && 'free', isOver && 'over', day === today() && 'today'];
  return (
    <td
      className={classes.filter(Boolean).join(' ')}
      onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDrop={(event) => {
        setIsOver(false);
        const id = event.dataTransfer.getData(DRAGGED);
        if (id === '') return;
        event.preventDefault();
        onMove(id, day);
      }}
    >
      <time className="day-head" dateTime={day}>
        <span aria-hidden="true" className="wide-only">
          {Number(day.slice(8))}
        </span>
        <span className="day-name">{whole.format(new Date(startOfDay(day)))}</span>
      </time>
      <DayItems items={items} tasks={tasks} onOpen={onOpen} onMove={onMove} focused={focused} />
    </td>
  );
}

/** Weeks of days. Waiting jobs are moved by dragging or with the keyboard. */
export function CalendarGrid({ weeks, month, items, tasks }: Props) {
  const { may } = useProject();
  const [openedId, setOpenedId] = useState<string>();
  const focused = useRef<string>(undefined);
  const move = useMoveJob();
  const itemsOf = byDay(items, ({ scheduledAt }) => scheduledAt);
  const tasksOf = byDay(tasks, ({ dueAt }) => dueAt ?? '');
  const opened = items.find(({ id }) => id === openedId);
  const moveTo = (id: string, day: string): void => {
    const item = items.find((one) => one.id === id);
    if (item === undefined) return;
    focused.current = id;
    void move(item, day);
  };
  return (
    <>
      {may('calendar.reschedule') && <p className="soft small calendar-hint">{t('calendar.moveHint')}</p>}
      <table className="calendar">
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                {weekday.format(new Date(startOfDay(day)))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  day={day}
                  focused={focused}
                  isOther={month !== '' && !day.startsWith(month)}
                  items={itemsOf.get(day) ?? []}
                  key={day}
                  onMove={moveTo}
                  onOpen={({ id }) => setOpenedId(id)}
                  tasks={tasksOf.get(day) ?? []}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {items.length === 0 && <p className="soft calendar-hint">{t('calendar.empty')}</p>}
      {opened !== undefined && <JobDialog item={opened} onClose={() => setOpenedId(undefined)} />}
    </>
  );
}
