import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { language, t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { ownTimeZone, timeZones } from '../ui/time-zone.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import type { EntryEditor } from './use-entry-editor.js';

type Kind = 'publish' | 'unpublish';
const kinds: readonly Kind[] = ['publish', 'unpublish'];

/** More than one locale can have: one waiting job of each kind. */
const SCHEDULES = 100;

const timeIn = (timeZone: string, instant: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(instant),
  );

interface Props {
  readonly editor: EntryEditor;
}

function useSchedules({ editor: { saved } }: Props) {
  const { slug: projectSlug } = useProject();
  const queries = useQueryClient();
  const input = { projectSlug, id: saved.id, limit: SCHEDULES };
  const query = useQuery(api.entries.listSchedules.queryOptions(input));
  /** Runs a change and shows what is scheduled after it. */
  const change = async (done: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run();
      notify(done);
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: api.entries.pathKey() });
    }
  };
  return { query, change };
}

/** A time in a zone at which the locale is published or unpublished. The draft of that time is published. */
function NewSchedule({
  editor: { saved, isDirty },
  change,
}: Props & Pick<ReturnType<typeof useSchedules>, 'change'>) {
  const project = useProject();
  const [time, setTime] = useState('');
  const [timezone, setTimezone] = useState(ownTimeZone);
  const permitted = kinds.filter((kind) => project.may(`entries.${kind}`, { locale: saved.locale }));
  const [chosen, setChosen] = useState<Kind>();
  const kind = chosen ?? permitted[0];
  if (kind === undefined) return null;
  const submit = async (): Promise<void> => {
    const { id, locale } = saved;
    const call = { projectSlug: project.slug, id, locale, scheduledAt: `${time}:00`, timezone };
    const isDone = await change(t('schedule.done'), () => client.entries[kind].mutate(call));
    if (isDone) setTime('');
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label className="field">
        <span className="label">{t('schedule.action')}</span>
        <select className="select" onChange={({ target }) => setChosen(target.value as Kind)} value={kind}>
          {permitted.map((one) => (
            <option key={one} value={one}>
              {t(`entry.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t('schedule.time')}</span>
        <input
          className="input"
          onChange={({ target }) => setTime(target.value)}
          required
          type="datetime-local"
          value={time}
        />
      </label>
      <label className="field">
        <span className="label">{t('schedule.zone')}</span>
        <select className="select" onChange={({ target }) => setTimezone(target.value)} value={timezone}>
          {timeZones.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </select>
      </label>
      {isDirty && <p className="hint">{t('schedule.unsaved')}</p>}
      <button className="button" type="submit">
        {t('schedule.add')}
      </button>
    </form>
  );
}

/** What is scheduled for the entry, and a form for more. */
export function Schedules({ editor }: Props) {
  const project = useProject();
  const { query, change } = useSchedules({ editor });
  const { id } = editor.saved;
  return (
    <section aria-label={t('schedule.title')} className="stack">
      <h3>{t('schedule.title')}</h3>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft small">{t('schedule.none')}</p>
          ) : (
            <ul className="versions">
              {data.map(({ jobId, kind, locale, scheduledAt, timezone }) => (
                <li className="version" key={jobId}>
                  <p>
                    <strong>{t(`entry.${kind}`)}</strong> <span className="badge">{locale}</span>
                  </p>
                  <p className="small">
                    {timeIn(timezone, scheduledAt)} <span className="soft">({timezone})</span>
                  </p>
                  {project.may(`entries.${kind}`, { locale }) && (
                    <button
                      className="button"
                      onClick={() =>
                        void change(t('schedule.canceled'), () =>
                          client.entries.cancelSchedule.mutate({ projectSlug: project.slug, id, jobId }),
                        )
                      }
                      type="button"
                    >
                      {t('schedule.cancel')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewSchedule change={change} editor={editor} />
    </section>
  );
}
