import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, localesOf, typeOf, type Entry } from '../../api/project-data.js';
import { formatNumber, t, failureText, localeName } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { Icon } from '../../ui/icon.js';
import { Empty, Loaded } from '../../ui/states.js';
import { PersonOptions } from '../person-options.js';
import { self } from '../users.js';
import { TaskRow } from './task-row.js';
import { taskKinds, type TaskSearch } from '../../routes/searches.js';
import { useTasks, refreshWork } from './use-tasks.js';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { PlaceContext } from '../../editor/place.js';
import { titleOf } from '../../entries/entry-title.js';
import { EntryPicker } from '../../fields/entry-picker.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';

interface Props {
  readonly onClose: () => void;
}

interface EntryFieldProps {
  readonly entry: Entry | undefined;
  readonly onChoice: (entry: Entry) => void;
}

function EntryField({ entry, onChoice }: EntryFieldProps) {
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="field">
      <span className="label">{t('tasks.entry')}</span>
      <div className="linked">
        <span className={entry === undefined ? 'soft grow' : 'grow clip'}>
          {entry === undefined ? t('field.none') : titleOf(entry, typeOf(project, entry.contentTypeApiName))}
        </span>
        <button className="button" data-focus onClick={() => setIsOpen(true)} type="button">
          {t('pick.entry')}
        </button>
      </div>
      {isOpen && (
        <PlaceContext value={{ siteId: '', locale: localesOf(project)[0] ?? '' }}>
          <EntryPicker
            onChoice={(chosen) => {
              onChoice(chosen);
              setIsOpen(false);
            }}
            onClose={() => setIsOpen(false)}
            types={undefined}
          />
        </PlaceContext>
      )}
    </div>
  );
}

/** Of translations. */
const DueAndNote = () => (
  <>
    <label className="field">
      <span className="label">{t('planning.due')}</span>
      <input className="input date-time" name="due" type="datetime-local" />
    </label>
    <label className="field">
      <span className="label">{t('planning.note')}</span>
      <textarea className="area short" name="note" rows={2} />
    </label>
  </>
);

/** Gives an entry, or its translation into one locale, to someone. */
export function NewTask({ onClose }: Props) {
  const project = useProject();
  const { slug: projectSlug, may } = project;
  const [entry, setEntry] = useState<Entry>();
  const locales = localesOf(project);
  // Empty: the entry itself.
  const [locale, setLocale] = useState(may('entries.transition') ? '' : (locales[1] ?? ''));
  const [message, setMessage] = useState('');
  const assign = async (entryId: string, form: FormData): Promise<void> => {
    const assigneeId = form.get('assignee') as string;
    const due = form.get('due') as string | null;
    if (locale !== '') {
      await client.translations.update.mutate({
        projectSlug,
        entryId,
        locale,
        assigneeId,
        ...(due && { dueAt: new Date(due).toISOString() }),
        note: (form.get('note') as string) || null,
      });
      return;
    }
    const { data } = await client.entries.bulk.mutate({
      projectSlug,
      action: 'assign',
      entryIds: [entryId],
      params: { assigneeId },
    });
    const [result] = data.results;
    if (result?.ok === false) throw new Error(failureText(result.error ?? '', result.message ?? ''));
  };
  const submit = async (form: FormData): Promise<void> => {
    if (entry === undefined) return setMessage(t('tasks.needsEntry'));
    try {
      await assign(entry.id, form);
      notify(t('tasks.assigned'));
      onClose();
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.code === 'unexpected' ? (error as Error).message : failure.problem);
    }
    refreshWork();
  };
  return (
    <Dialog onClose={onClose} title={t('tasks.new')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <EntryField entry={entry} onChoice={setEntry} />
        <label className="field">
          <span className="label">{t('tasks.work')}</span>
          <select className="select" onChange={({ target }) => setLocale(target.value)} value={locale}>
            {may('entries.transition') && <option value="">{t('tasks.workEntry')}</option>}
            {may('translations.update') &&
              locales.map((one) => (
                <option key={one} value={one}>
                  {t('tasks.workTranslation', { locale: localeName(one) })}
                </option>
              ))}
          </select>
        </label>
        <label className="field">
          <span className="label">{t('planning.assignee')}</span>
          <select className="select" name="assignee" required>
            <PersonOptions />
          </select>
        </label>
        {locale !== '' && <DueAndNote />}
        <DialogFooter refusal={message} run={t('tasks.assign')} />
      </form>
    </Dialog>
  );
}

function Results({ search }: { readonly search: TaskSearch }) {
  const tasks = useTasks(search);
  return (
    <Loaded query={tasks}>
      {({ pages }) => {
        const shown = pages.flatMap(({ data }) => data);
        if (shown.length === 0) return <Empty hint={t('tasks.emptyHint')} title={t('tasks.empty')} />;
        return (
          <div className="stack tasks">
            <p aria-live="polite" className="soft small">
              {t('tasks.total', { total: formatNumber(pages[0]?.meta.total ?? shown.length) })}
            </p>
            <ul className="versions">
              {shown.map((task) => (
                <TaskRow key={[task.kind, task.entryId, task.locale, task.commentId].join(' ')} task={task} />
              ))}
            </ul>
            {tasks.hasNextPage && (
              <button
                className="button more"
                disabled={tasks.isFetchingNextPage}
                onClick={() => void tasks.fetchNextPage()}
                type="button"
              >
                {t('tasks.more')}
              </button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** What waits for the user, or for another member, soonest due first. */
export function TasksScreen() {
  const { may } = useProject();
  const search = useSearch({ from: '/$project/$environment/tasks' });
  const navigate = useNavigate({ from: '/$project/$environment/tasks' });
  const [isOpen, setIsOpen] = useState(false);
  const change = (next: TaskSearch): void => void navigate({ search: next, replace: true });
  return (
    <div className="planning-screen">
      <header className="screen-head row">
        <h1 className="grow">{t('tasks.title')}</h1>
        {(may('entries.transition') || may('translations.update')) && (
          <button className="button primary" onClick={() => setIsOpen(true)} type="button">
            <Icon name="add" />
            {t('tasks.new')}
          </button>
        )}
      </header>
      <div className="filters row">
        <select
          aria-label={t('tasks.of')}
          className="select compact"
          onChange={({ target }) =>
            change({ ...search, assignee: target.value === self().id ? undefined : target.value })
          }
          value={search.assignee ?? self().id}
        >
          <PersonOptions hasSelf />
        </select>
        <Choice
          label={t('tasks.kind')}
          onChange={(chosen) => change({ ...search, kind: taskKinds.find((kind) => kind === chosen) })}
          value={search.kind}
        >
          {taskKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`task.kind.${kind}`)}
            </option>
          ))}
        </Choice>
      </div>
      <Results search={search} />
      {isOpen && <NewTask onClose={() => setIsOpen(false)} />}
    </div>
  );
}
