import { Avatar } from '../../account/avatar.js';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client, api } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { partsOf } from '../../editor/comments/mentions.js';
import type { Panel } from '../../routes/searches.js';
import { entryName } from '../../insight/entry-link.js';
import { formatTime, localeName, t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { TranslationDialog } from '../translations/translation-dialog.js';
import { useMembers } from '../users.js';
import { translationText } from '../translations/statuses.js';
import { refreshWork, useStateNames, type Task } from './use-tasks.js';
import { useQuery } from '@tanstack/react-query';
import { TransitionForm } from '../../editor/workflow/transition-form.js';
import { CurrentState } from '../../editor/workflow/current-state.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';

interface Props {
  readonly entryId: string;
  /** Where each locale has its own state. */
  readonly locale: string | null;
  readonly title: string;
  readonly onClose: () => void;
}

/** The transitions that the user can make, and who continues. */
function WorkflowDialog({ entryId: id, locale, title, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const place = { projectSlug, id, ...(locale !== null && { locale }) };
  const query = useQuery(api.entries.getWorkflow.queryOptions(place, { staleTime: 0, retry: false }));
  return (
    <Dialog onClose={onClose} title={title}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <CurrentState workflow={data} />
            <TransitionForm onDone={onClose} onTried={refreshWork} version={data.version} workflow={data} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

const isOverdue = ({ dueAt }: Task): boolean => dueAt !== null && Date.parse(dueAt) < Date.now();

/** What can be done about a task without leaving the list. */
function TaskAction({ task }: { readonly task: Task }) {
  const { slug: projectSlug, may } = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const { kind, entryId, locale, commentId } = task;
  const title = entryName(task.title);
  const close = (): void => setIsOpen(false);
  const resolve = async (): Promise<void> => {
    try {
      await client.entries.resolveComment.mutate({ projectSlug, entryId, commentId: commentId ?? '' });
      notify(t('tasks.resolved'));
    } catch (error) {
      notifyFailure(error);
    }
    refreshWork();
  };
  if (kind === 'mention')
    return may('entries.resolveComment') ? (
      <button
        aria-label={`${t('tasks.resolve')}: ${title}`}
        className="button"
        onClick={() => void resolve()}
        type="button"
      >
        {t('tasks.resolve')}
      </button>
    ) : null;
  const needed = kind === 'translation' ? 'translations.update' : 'entries.transition';
  if (!may(needed)) return null;
  const name = t(kind === 'approval' ? 'tasks.decide' : 'tasks.edit');
  return (
    <>
      <button
        aria-label={`${name}: ${title}`}
        className="button"
        onClick={() => setIsOpen(true)}
        type="button"
      >
        {name}
      </button>
      {isOpen && kind === 'translation' && (
        <TranslationDialog entryId={entryId} locale={locale ?? ''} onClose={close} />
      )}
      {isOpen && kind !== 'translation' && (
        <WorkflowDialog entryId={entryId} locale={locale} onClose={close} title={title} />
      )}
    </>
  );
}

/** What is opened beside the entry. */
const panelOf = {
  transition: 'workflow',
  approval: 'workflow',
  translation: undefined,
  mention: 'comments',
} as const satisfies Record<Task['kind'], Panel | undefined>;

/** What the user was mentioned in. */
function Quote({ entryId, commentId }: { readonly entryId: string; readonly commentId: string }) {
  const { slug: projectSlug } = useProject();
  const people = useMembers().map(({ id, name }) => ({ id, label: name }));
  const input = { projectSlug, entryId, commentId };
  const { data } = useQuery(api.entries.getComment.queryOptions(input, { retry: false }));
  if (data === undefined) return null;
  const { createdBy: by } = data.data;
  return (
    <blockquote className="quote">
      {by.type === 'user' && <Avatar name={by.name} userId={by.id ?? ''} />}{' '}
      {partsOf(data.data.text, people, t('tasks.member')).map(({ text }) => text)}
    </blockquote>
  );
}

export function TaskRow({ task }: { readonly task: Task }) {
  const { slug, environment, types } = useProject();
  const stateName = useStateNames();
  const { kind, entryId, title, locale, state, dueAt, commentId, contentTypeApiName } = task;
  const type = types.find(({ apiName }) => apiName === contentTypeApiName);
  return (
    <li className="version task-row">
      <p className="row">
        <span className="badge">{t(`task.kind.${kind}`)}</span>
        <Link
          className="row-link grow clip"
          params={{ project: slug, environment, entry: entryId }}
          search={{ locale: locale ?? undefined, panel: panelOf[kind], thread: commentId ?? undefined }}
          to="/$project/$environment/entries/$entry"
        >
          {entryName(title)}
        </Link>
        {dueAt !== null && (
          <span className={isOverdue(task) ? 'badge overdue' : 'badge changed'}>
            {t(isOverdue(task) ? 'tasks.overdue' : 'tasks.due', { time: formatTime(dueAt) })}
          </span>
        )}
        <TaskAction task={task} />
      </p>
      {kind === 'mention' && commentId !== null && <Quote commentId={commentId} entryId={entryId} />}
      <p className="small soft">
        {[
          type?.name ?? contentTypeApiName,
          ...(locale === null ? [] : [localeName(locale)]),
          ...(state === null ? [] : [kind === 'translation' ? translationText(state) : stateName(state)]),
        ].join(' · ')}
      </p>
    </li>
  );
}
