import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { useCall } from '../api/use-call.js';
import { language, t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import type { EntryEditor } from './use-entry-editor.js';
import {
  schedulable,
  ScheduledKindField,
  useZonedTime,
  ZonedTimeFields,
  type ScheduledKind,
} from './zoned-time.js';

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
  const cancel = async (jobId: string): Promise<void> => {
    try {
      await client.entries.cancelSchedule.mutate({ projectSlug, id: saved.id, jobId });
      notify(t('schedule.canceled'));
    } catch (error) {
      notifyFailure(error);
    } finally {
      await queries.invalidateQueries({ queryKey: api.entries.pathKey() });
    }
  };
  return { query, cancel };
}

/** A time in a zone at which the locale is published or unpublished. The draft of that time is published. */
function NewSchedule({ editor }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const { isBusy, failure, run } = useCall();
  const value = useZonedTime(failure);
  const { saved, isDirty } = editor;
  const permitted = schedulable(project, saved.locale);
  const [chosen, setChosen] = useState<ScheduledKind>();
  const kind = chosen ?? permitted[0];
  if (kind === undefined) return null;
  const { input } = value;
  const isAtField = Object.values(value.problems).some((problem) => problem !== undefined);
  const submit = (): Promise<void> =>
    run(async () => {
      const { id, locale } = saved;
      try {
        await client.entries[kind].mutate({ projectSlug: project.slug, id, locale, ...input });
      } catch (error) {
        // A draft that is not complete is marked in the form.
        editor.refuse(error);
        throw error;
      }
      value.type({ time: '' });
      notify(t('schedule.done'));
      await queries.invalidateQueries({ queryKey: api.entries.pathKey() });
    });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (input !== undefined) void submit();
      }}
    >
      <ScheduledKindField kind={kind} onChange={setChosen} permitted={permitted} />
      <ZonedTimeFields value={value} />
      {isDirty && <p className="hint">{t('schedule.unsaved')}</p>}
      {failure !== undefined && !isAtField && (
        <p className="problem" role="alert">
          {failure.message}
        </p>
      )}
      <button className="button" disabled={isBusy || input === undefined} type="submit">
        {t('schedule.add')}
      </button>
    </form>
  );
}

/** What is scheduled for the entry, and a form for more. */
export function Schedules({ editor }: Props) {
  const project = useProject();
  const { query, cancel } = useSchedules({ editor });
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
                    <button className="button" onClick={() => void cancel(jobId)} type="button">
                      {t('schedule.cancel')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewSchedule editor={editor} />
    </section>
  );
}
