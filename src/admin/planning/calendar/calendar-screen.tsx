import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { localesOf, useProject } from '../../api/project-data.js';
import { formatNumber, language, localeName, t, formatTime } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { IconButton } from '../../ui/icon-button.js';
import { Loaded } from '../../ui/states.js';
import { CalendarGrid } from './calendar-grid.js';
import {
  calendarKinds,
  jobStatuses,
  type CalendarSearch,
  shifted,
  startOfDay,
  today,
  weeksOf,
  type CalendarView,
} from './days.js';
import { useCalendar, useDueTasks } from './use-calendar.js';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { Dialog } from '../../ui/dialog.js';

/** The address for calendar programs. It needs no login, so it is shown only when it is asked for. */
function FeedDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(api.calendar.feedUrl.queryOptions({ projectSlug }, { gcTime: 0 }));
  return (
    <Dialog onClose={onClose} title={t('calendar.subscribe')}>
      <p>{t('calendar.feedHint')}</p>
      <Loaded query={query}>
        {({ data: { url, expiresAt } }) => (
          <label className="field">
            <span className="label">{t('calendar.feedUrl')}</span>
            <input
              className="input code"
              data-focus
              onFocus={({ target }) => target.select()}
              readOnly
              value={new URL(url, location.href).href}
            />
            <span className="hint">{t('calendar.feedUntil', { time: formatTime(expiresAt) })}</span>
          </label>
        )}
      </Loaded>
    </Dialog>
  );
}

interface PartProps {
  readonly search: CalendarSearch;
  readonly onChange: (search: CalendarSearch) => void;
}

const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

function titleOf(view: CalendarView, day: string): string {
  if (view === 'month') return month.format(new Date(startOfDay(day)));
  const [week = []] = weeksOf('week', day);
  return date.formatRange(new Date(startOfDay(week[0] ?? day)), new Date(startOfDay(week.at(-1) ?? day)));
}

function Head({ search, onChange }: PartProps) {
  const { view = 'month', day = today() } = search;
  const [isFeedOpen, setIsFeedOpen] = useState(false);
  const go = (direction: 1 | -1): void => onChange({ ...search, day: shifted(view, day, direction) });
  return (
    <header className="screen-head row">
      <h1 className="grow" aria-live="polite">
        {titleOf(view, day)}
      </h1>
      <span className="row tight">
        <IconButton icon="back" label={t(`calendar.before.${view}`)} onClick={() => go(-1)} />
        <button className="button" onClick={() => onChange({ ...search, day: undefined })} type="button">
          {t('calendar.today')}
        </button>
        <IconButton
          className="forward"
          icon="back"
          label={t(`calendar.after.${view}`)}
          onClick={() => go(1)}
        />
      </span>
      <button className="button" onClick={() => setIsFeedOpen(true)} type="button">
        {t('calendar.subscribe')}
      </button>
      {isFeedOpen && <FeedDialog onClose={() => setIsFeedOpen(false)} />}
    </header>
  );
}

function Filters({ search, onChange }: PartProps) {
  const project = useProject();
  return (
    <div className="filters row">
      <span aria-label={t('calendar.view')} className="row tight" role="group">
        {(['month', 'week'] as const).map((view) => (
          <button
            aria-pressed={(search.view ?? 'month') === view}
            className="button"
            key={view}
            onClick={() => onChange({ ...search, view: view === 'week' ? view : undefined })}
            type="button"
          >
            {t(`calendar.${view}`)}
          </button>
        ))}
      </span>
      <Choice
        label={t('calendar.kind')}
        onChange={(chosen) => onChange({ ...search, kind: calendarKinds.find((kind) => kind === chosen) })}
        value={search.kind}
      >
        {calendarKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`calendar.kind.${kind}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('list.status')}
        onChange={(chosen) => onChange({ ...search, status: jobStatuses.find((one) => one === chosen) })}
        value={search.status}
      >
        {jobStatuses.map((status) => (
          <option key={status} value={status}>
            {t(`calendar.status.${status}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('list.locale')}
        onChange={(locale) => onChange({ ...search, locale })}
        value={search.locale}
      >
        {localesOf(project).map((locale) => (
          <option key={locale} value={locale}>
            {localeName(locale)}
          </option>
        ))}
      </Choice>
      {project.sites.length > 1 && (
        <Choice label={t('list.site')} onChange={(site) => onChange({ ...search, site })} value={search.site}>
          {project.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
    </div>
  );
}

/** What was and will be published, and what is due for the user. */
export function CalendarScreen() {
  const search = useSearch({ from: '/$project/$environment/calendar' });
  const navigate = useNavigate({ from: '/$project/$environment/calendar' });
  const { view = 'month', day = today() } = search;
  const weeks = weeksOf(view, day);
  const range = { first: weeks[0]?.[0] ?? day, last: weeks.at(-1)?.at(-1) ?? day };
  const query = useCalendar(range, search);
  const tasks = useDueTasks();
  const change = (next: CalendarSearch): void => void navigate({ search: next, replace: true });
  return (
    <div className="calendar-screen">
      <Head onChange={change} search={search} />
      <Filters onChange={change} search={search} />
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            {total > items.length && (
              <p className="notice">
                {t('calendar.tooMany', { shown: formatNumber(items.length), total: formatNumber(total) })}
              </p>
            )}
            <CalendarGrid
              items={items}
              month={view === 'month' ? day.slice(0, 7) : ''}
              tasks={tasks}
              weeks={weeks}
            />
          </>
        )}
      </Loaded>
    </div>
  );
}
