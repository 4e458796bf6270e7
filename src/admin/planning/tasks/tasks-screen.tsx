import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { Icon } from '../../ui/icon.js';
import { Empty, Loaded } from '../../ui/states.js';
import { PersonOptions } from '../person-options.js';
import { self } from '../users.js';
import { NewTask } from './new-task.js';
import { TaskRow } from './task-row.js';
import { taskKinds, type TaskSearch } from '../../routes/searches.js';
import { useTasks } from './use-tasks.js';

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
