import { useId, useRef, useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { DateTimeEditor } from '../../fields/number-editors.js';
import { PersonOptions } from '../../planning/person-options.js';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { givenFor, missingFor, type EntryWorkflow, type Transition } from './entry-workflow.js';
import { useStates } from './states.js';

interface Props {
  readonly workflow: EntryWorkflow;
  /** Of the entry as the user sees it. */
  readonly version: number;
  /** Runs after each attempt. */
  readonly onTried: () => void;
  readonly onDone: () => void;
}

const NONE = 'none';

function needsOf(workflow: EntryWorkflow, { to, ...transition }: Transition): string {
  const { requireComment, requireAssignee, requiredApprovals: required } = transition;
  return [
    ...(requireComment ? [t('workflow.needs.comment')] : []),
    ...(requireAssignee ? [t('workflow.needs.assignee')] : []),
    ...(required > 0 ? [t('workflow.needs.approvals', { given: givenFor(workflow, to), required })] : []),
  ].join(', ');
}

interface TransitionListProps {
  readonly workflow: EntryWorkflow;
  readonly isBusy: boolean;
  readonly onChoice: (transition: Transition) => void;
}

/** A button for each transition with what it needs, and why others are not possible. */
function TransitionList({ workflow, isBusy, onChoice }: TransitionListProps) {
  const id = useId();
  const { availableTransitions, unavailableTransitions } = workflow;
  return (
    <>
      {availableTransitions.map((transition) => (
        <p className="row" key={transition.to}>
          <button
            aria-describedby={`${id}-${transition.to}`}
            className="button primary"
            disabled={isBusy}
            onClick={() => onChoice(transition)}
            type="button"
          >
            {transition.name}
          </button>
          <span className="soft small" id={`${id}-${transition.to}`}>
            {needsOf(workflow, transition)}
          </span>
        </p>
      ))}
      {unavailableTransitions.map(({ to, name, reason }) => (
        <p className="soft small" key={to}>
          {t('workflow.blocked', { name, reason: t(`workflow.reason.${reason}`) })}
        </p>
      ))}
      {availableTransitions.length === 0 && <p className="soft">{t('workflow.none')}</p>}
    </>
  );
}

interface DueFieldProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function DueField({ value, onChange }: DueFieldProps) {
  const id = useId();
  const label = t('planning.due');
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <DateTimeEditor
        id={id}
        label={label}
        value={value}
        onChange={onChange}
        describedBy={id}
        isInvalid={false}
        isReadOnly={false}
      />
    </div>
  );
}

/** The transitions that the user can make, with a comment, the next assignee and a due time. An approval is one. */
export function TransitionForm({ workflow, version, onTried, onDone }: Props) {
  const { slug: projectSlug } = useProject();
  const stateOf = useStates(workflow.workflowSlug);
  const id = useId();
  const fields = useRef<HTMLDivElement>(null);
  const { isBusy, failure, run } = useCall();
  const [comment, setComment] = useState('');
  const [assignee, setAssignee] = useState('');
  const [dueAt, setDueAt] = useState<unknown>(workflow.dueAt);
  const [missing, setMissing] = useState<{ readonly key: 'comment' | 'assignee'; readonly name: string }>();
  const assigneeId = assignee === '' ? undefined : assignee === NONE ? null : assignee;
  const go = async (transition: Transition): Promise<void> => {
    const key = missingFor(transition, workflow, { comment, assigneeId });
    setMissing(key && { key, name: transition.name });
    if (key !== undefined) return fields.current?.querySelector<HTMLElement>(`[name=${key}]`)?.focus();
    const { to } = transition;
    await run(async () => {
      const { data } = await client.entries.transition.mutate({
        projectSlug,
        id: workflow.entryId,
        to,
        version,
        assigneeId,
        ...(workflow.locale !== null && { locale: workflow.locale }),
        ...(comment.trim() !== '' && { comment }),
        ...(dueAt !== workflow.dueAt && { dueAt: dueAt as string | null }),
      });
      const isMoved = data.state === to;
      notify(t(isMoved ? 'workflow.moved' : 'workflow.approved', { state: stateOf(to).name }));
      setComment('');
      setAssignee('');
      onDone();
    });
    onTried();
  };
  const message = missing === undefined ? failure?.message : t(`workflow.missing.${missing.key}`, missing);
  return (
    <div className="stack" ref={fields}>
      <label className="field">
        <span className="label">{t('workflow.comment')}</span>
        <textarea
          aria-invalid={missing?.key === 'comment'}
          className="area short"
          dir="auto"
          name="comment"
          onChange={({ target }) => setComment(target.value)}
          rows={2}
          value={comment}
        />
      </label>
      <label className="field">
        <span className="label">{t('workflow.assignee')}</span>
        <select
          aria-invalid={missing?.key === 'assignee'}
          className="select"
          name="assignee"
          onChange={({ target }) => setAssignee(target.value)}
          value={assignee}
        >
          <option value="">{t('workflow.sameAssignee')}</option>
          <option value={NONE}>{t('planning.unassigned')}</option>
          <PersonOptions />
        </select>
      </label>
      <DueField onChange={setDueAt} value={dueAt} />
      <p aria-live="polite" className="problem" id={`${id}-message`}>
        {message}
      </p>
      <TransitionList isBusy={isBusy} onChoice={(one) => void go(one)} workflow={workflow} />
    </div>
  );
}
