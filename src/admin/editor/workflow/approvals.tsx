import { formatTime, t } from '../../texts/index.js';
import { givenCount, type EntryWorkflow } from './entry-workflow.js';
import { useStates } from './states.js';

type Pending = EntryWorkflow['pendingApprovals'][number];

interface PendingProps {
  readonly pending: Pending;
  readonly name: string;
}

function PendingApproval({ pending, name }: PendingProps) {
  const { required, approvals } = pending;
  const given = givenCount(pending);
  const missing = Math.max(0, required - given);
  return (
    <li className="version">
      <p>
        <strong>{name}</strong>{' '}
        <span className="soft small">{t('workflow.approvals.count', { given, required, missing })}</span>
      </p>
      <ul className="plain">
        {approvals.map(({ by, at, comment, isLapsed }) => (
          <li className="small" key={`${by.id ?? ''} ${at}`}>
            {t('workflow.by', { name: by.name, time: formatTime(at) })}{' '}
            {isLapsed && <span className="badge overdue">{t('workflow.approvals.lapsed')}</span>}
            {comment !== null && <p dir="auto">{comment}</p>}
            {isLapsed && <p className="soft">{t('workflow.approvals.lapsedHint')}</p>}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Who has approved each transition, and how many are missing. */
export function Approvals({ workflow }: { readonly workflow: EntryWorkflow }) {
  const stateOf = useStates(workflow.workflowSlug);
  const { pendingApprovals, availableTransitions, unavailableTransitions } = workflow;
  if (pendingApprovals.length === 0) return null;
  const nameOf = (to: string): string =>
    [...availableTransitions, ...unavailableTransitions].find((one) => one.to === to)?.name ??
    stateOf(to).name;
  return (
    <section aria-label={t('workflow.approvals')} className="stack tight">
      <h3>{t('workflow.approvals')}</h3>
      <ul className="versions">
        {pendingApprovals.map((pending) => (
          <PendingApproval key={pending.to} name={nameOf(pending.to)} pending={pending} />
        ))}
      </ul>
    </section>
  );
}
