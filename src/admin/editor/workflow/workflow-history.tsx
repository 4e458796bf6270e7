import { formatTime, t } from '../../texts/index.js';
import type { EntryWorkflow } from './entry-workflow.js';
import { useStates } from './states.js';

/** The transitions so far, latest first. */
export function WorkflowHistory({ workflow }: { readonly workflow: EntryWorkflow }) {
  const stateOf = useStates(workflow.workflowSlug);
  const { history } = workflow;
  return (
    <section aria-label={t('workflow.history')} className="stack tight">
      <h3>{t('workflow.history')}</h3>
      {history.length === 0 && <p className="soft small">{t('workflow.history.empty')}</p>}
      <ol className="versions">
        {history.map(({ from, to, by, at, comment, approvals }) => (
          <li className="version" key={`${at} ${to}`}>
            <p>{t('workflow.step', { from: stateOf(from).name, to: stateOf(to).name })}</p>
            <p className="small soft">{t('workflow.by', { name: by.name, time: formatTime(at) })}</p>
            {comment !== null && (
              <p className="small" dir="auto">
                {comment}
              </p>
            )}
            {approvals.length > 0 && (
              <p className="small soft">
                {t('workflow.approvedBy', {
                  names: approvals.map((approval) => approval.by.name).join(', '),
                })}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
