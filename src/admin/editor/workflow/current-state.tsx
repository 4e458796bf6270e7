import { useMembers } from '../../planning/users.js';
import { formatTime, localeName, t } from '../../texts/index.js';
import type { EntryWorkflow } from './entry-workflow.js';
import { StateBadge, useStates } from './states.js';

/** Where the entry is in its workflow, since when, and who continues. */
export function CurrentState({ workflow }: { readonly workflow: EntryWorkflow }) {
  const stateOf = useStates(workflow.workflowSlug);
  const members = useMembers();
  const { state, enteredAt, enteredBy, assigneeId, dueAt, locale } = workflow;
  const assignee = members.find(({ id }) => id === assigneeId)?.name ?? t('comments.unknownPerson');
  const isOverdue = dueAt !== null && Date.parse(dueAt) < Date.now();
  return (
    <div className="workflow-state">
      <p>{state === null ? t('workflow.notApplied') : <StateBadge state={stateOf(state)} />}</p>
      <p className="soft small">
        {t('workflow.since', { time: formatTime(enteredAt), name: enteredBy.name })}
      </p>
      <p className="small">
        {assigneeId === null ? t('planning.unassigned') : t('workflow.assigned', { name: assignee })}
      </p>
      {dueAt !== null && (
        <p className="small">
          <span className={isOverdue ? 'badge overdue' : 'badge changed'}>
            {t('workflow.due', { time: formatTime(dueAt) })}
          </span>
        </p>
      )}
      {locale !== null && (
        <p className="soft small">{t('workflow.locale', { locale: localeName(locale) })}</p>
      )}
    </div>
  );
}
