import { useState } from 'react';
import { client, type Outputs } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { localTime } from '../calendar/days.js';
import { PersonOptions } from '../person-options.js';
import { refreshWork } from '../tasks/use-tasks.js';
import { useMembers } from '../users.js';
import { priorities, settableStatuses, translationText } from './statuses.js';

interface Props {
  readonly entryId: string;
  readonly work: Outputs['translations']['get']['data']['locales'][number];
  readonly onSaved: () => void;
}

/** Only changed values: setting the same status again would accept the current source. */
function changesIn(form: FormData, { status, dueAt }: Props['work']) {
  const chosen = settableStatuses.find((one) => one === form.get('status'));
  const due = form.get('due') as string;
  const wasDue = dueAt === null ? '' : localTime(dueAt);
  return {
    ...(chosen !== undefined && chosen !== status && { status: chosen }),
    ...(due !== wasDue && { dueAt: due === '' ? null : new Date(due).toISOString() }),
    assigneeId: (form.get('assignee') as string) || null,
    priority: priorities.find((one) => one === form.get('priority')),
    note: (form.get('note') as string).trim() || null,
  };
}

function WorkFields({ work, isReadOnly }: Pick<Props, 'work'> & { readonly isReadOnly: boolean }) {
  const members = useMembers();
  const { status, assigneeId, priority, dueAt } = work;
  return (
    <fieldset className="two-columns" disabled={isReadOnly}>
      <label className="field">
        <span className="label">{t('list.status')}</span>
        <select className="select" defaultValue={status} disabled={status === 'missing'} name="status">
          {status === 'missing' && <option value="missing">{translationText(status)}</option>}
          {settableStatuses.map((one) => (
            <option key={one} value={one}>
              {translationText(one)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t('planning.assignee')}</span>
        <select
          className="select"
          defaultValue={assigneeId ?? ''}
          // The chosen member has no option before the members are there.
          key={members.length}
          name="assignee"
        >
          <option value="">{t('planning.unassigned')}</option>
          <PersonOptions />
        </select>
      </label>
      <label className="field">
        <span className="label">{t('planning.priority')}</span>
        <select className="select" defaultValue={priority} name="priority">
          {priorities.map((one) => (
            <option key={one} value={one}>
              {t(`priority.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t('planning.due')}</span>
        <input
          className="input date-time"
          defaultValue={dueAt === null ? '' : localTime(dueAt)}
          name="due"
          type="datetime-local"
        />
      </label>
    </fieldset>
  );
}

/** Who translates until when, and how far it is. */
export function TranslationForm({ entryId, work, onSaved }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [message, setMessage] = useState('');
  const isReadOnly = !may('translations.update');
  const { locale, note } = work;
  const save = async (form: FormData): Promise<void> => {
    try {
      await client.translations.update.mutate({ projectSlug, entryId, locale, ...changesIn(form, work) });
      notify(t('translation.saved'));
      onSaved();
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.problem);
    }
    refreshWork();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <WorkFields isReadOnly={isReadOnly} work={work} />
      <label className="field">
        <span className="label">{t('planning.note')}</span>
        <textarea
          className="area short"
          defaultValue={note ?? ''}
          name="note"
          readOnly={isReadOnly}
          rows={2}
        />
      </label>
      <p aria-live="polite" className="problem">
        {message}
      </p>
      {!isReadOnly && (
        <div className="actions">
          <button className="button primary" type="submit">
            {t('translation.save')}
          </button>
        </div>
      )}
    </form>
  );
}
