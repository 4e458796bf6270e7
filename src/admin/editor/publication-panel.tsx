import { useState } from 'react';
import { client, type Outputs, api } from '../api/client.js';
import { apiOrigin } from '../api/origin.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { IssueText, useMessageOf } from '../fields/issue-text.js';
import { formatTime, t, language } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { notifyFailure, notify } from '../ui/toasts.js';
import { pathText } from './path-text.js';
import { problemsOf } from './problems.js';
import type { EntryEditor } from './use-entry-editor.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCall } from '../api/use-call.js';
import { Loaded } from '../ui/states.js';
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

interface SchedulesProps {
  readonly editor: EntryEditor;
}

function useSchedules({ editor: { saved } }: SchedulesProps) {
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
function NewSchedule({ editor }: SchedulesProps) {
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
function Schedules({ editor }: SchedulesProps) {
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

type Validation = Outputs['entries']['validate']['data'];
type Link = Outputs['entries']['preview']['data'];

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly onClose: () => void;
}

function Findings({
  validation: { version, issues, warnings, isPublishable },
  type,
  editor,
}: Pick<Props, 'editor' | 'type'> & { readonly validation: Validation }) {
  const project = useProject();
  const messageOf = useMessageOf();
  const problems = [...problemsOf(issues, editor.saved.fields, messageOf)];
  return (
    <div aria-live="polite" className="stack">
      <p className={isPublishable ? 'small' : 'problem'}>
        {t(isPublishable ? 'check.ready' : 'check.notReady', { version })}
      </p>
      <ul>
        {problems.map(([field, messages]) => (
          <li className="small" key={field}>
            <strong>{pathText({ project, type, known: [editor.saved.fields] }, field)}</strong>{' '}
            <IssueText text={messages.join(' ')} />
          </li>
        ))}
        {warnings.map((warning) => (
          <li className="small soft" key={warning.path.join('.') + warning.message}>
            <IssueText text={messageOf(warning)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Saves and checks the draft as publishing does; what is wrong is marked in the form as well. */
function Check({ editor, type }: Pick<Props, 'editor' | 'type'>) {
  const { saved, isBusy } = editor;
  const [validation, setValidation] = useState<Validation>();
  const check = async (): Promise<void> => setValidation(await editor.check());
  return (
    <section aria-label={t('check.title')} className="stack">
      <h3>{t('check.title')}</h3>
      <button className="button" disabled={isBusy} onClick={() => void check()} type="button">
        {t('check.run')}
      </button>
      {validation?.version === saved.version && (
        <Findings validation={validation} type={type} editor={editor} />
      )}
    </section>
  );
}

/** A link with which anyone can read the saved draft for a while. */
function Preview({ editor: { saved } }: Pick<Props, 'editor'>) {
  const { slug: projectSlug } = useProject();
  const [link, setLink] = useState<Link>();
  const create = async (): Promise<void> => {
    try {
      const call = { projectSlug, id: saved.id, locale: saved.locale };
      setLink((await client.entries.preview.mutate(call)).data);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <section aria-label={t('preview.title')} className="stack">
      <h3>{t('preview.title')}</h3>
      <button className="button" onClick={() => void create()} type="button">
        {t('preview.create')}
      </button>
      {link !== undefined && (
        <p className="small">
          <a
            href={new URL(link.url, apiOrigin || window.location.origin).href}
            rel="noopener noreferrer"
            target="_blank"
          >
            {t('preview.open')}
          </a>{' '}
          <span className="soft">{t('preview.until', { time: formatTime(link.expiresAt) })}</span>
        </p>
      )}
    </section>
  );
}

/** What comes before and after publishing: a check, a preview, schedules. */
export function PublicationPanel({ editor, type, onClose }: Props) {
  return (
    <aside aria-label={t('publication.title')} className="panel">
      <div className="row">
        <h2 className="grow">{t('publication.title')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <Check editor={editor} type={type} />
      <Preview editor={editor} />
      <Schedules editor={editor} />
    </aside>
  );
}
