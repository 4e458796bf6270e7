import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { PersonOptions } from '../person-options.js';
import { refreshWork } from './use-tasks.js';

interface Props {
  readonly entryId: string;
  /** Where each locale has its own state. */
  readonly locale: string | null;
  readonly title: string;
  readonly onClose: () => void;
}

/** The steps that the user can take, and who goes on with it. */
export function WorkflowDialog({ entryId: id, locale, title, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [message, setMessage] = useState('');
  const place = { projectSlug, id, ...(locale !== null && { locale }) };
  const query = useQuery(api.entries.getWorkflow.queryOptions(place, { staleTime: 0, retry: false }));
  const go = async (to: string, version: number, form: FormData): Promise<void> => {
    const [comment, assignee] = [form.get('comment') as string, form.get('assignee') as string];
    try {
      const { data } = await client.entries.transition.mutate({
        ...{ ...place, to, version },
        ...(comment.trim() !== '' && { comment }),
        ...(assignee !== '' && { assigneeId: assignee === 'none' ? null : assignee }),
      });
      notify(t(data.state === to ? 'workflow.moved' : 'workflow.approved', { state: to }));
      onClose();
    } catch (error) {
      setMessage(failureOf(error).message);
    }
    refreshWork();
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <Loaded query={query}>
        {({
          data: { state, enteredAt, enteredBy, version, availableTransitions, unavailableTransitions },
        }) => (
          <form className="stack" id="workflow">
            <p>
              <strong>{state}</strong>{' '}
              <span className="soft">
                {t('workflow.since', { time: formatTime(enteredAt), name: enteredBy.name })}
              </span>
            </p>
            <label className="field">
              <span className="label">{t('workflow.comment')}</span>
              <textarea className="area short" name="comment" rows={2} />
            </label>
            <label className="field">
              <span className="label">{t('workflow.assignee')}</span>
              <select className="select" defaultValue="" name="assignee">
                <option value="">{t('workflow.sameAssignee')}</option>
                <option value="none">{t('planning.unassigned')}</option>
                <PersonOptions />
              </select>
            </label>
            {unavailableTransitions.map(({ to, name, reason }) => (
              <p className="soft small" key={to}>
                {t('workflow.blocked', { name, reason: t(`workflow.reason.${reason}`) })}
              </p>
            ))}
            {availableTransitions.length === 0 && <p className="soft">{t('workflow.none')}</p>}
            <p aria-live="polite" className="problem">
              {message}
            </p>
            <div className="actions">
              {availableTransitions.map(({ to, name }) => (
                <button
                  className="button primary"
                  key={to}
                  onClick={({ currentTarget: { form } }) => {
                    if (form !== null) void go(to, version, new FormData(form));
                  }}
                  type="button"
                >
                  {name}
                </button>
              ))}
            </div>
          </form>
        )}
      </Loaded>
    </Dialog>
  );
}
