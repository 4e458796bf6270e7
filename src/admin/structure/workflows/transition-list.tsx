import { limits } from '../../../../contracts/limits.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { useFormValues } from '../../resources/form-values.js';
import { labelOf } from '../../resources/labels.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { CheckPart, Part, RolePart, TextPart } from './part-controls.js';
import {
  newTransition,
  withApprovals,
  type WorkflowState,
  type WorkflowTransition,
} from './workflow-parts.js';

interface EndProps {
  readonly name: 'from' | 'to';
  readonly value: string;
  readonly states: readonly WorkflowState[];
  readonly onChange: (key: string) => void;
}

/** One of the states of the form. A state that was removed is shown until another one is chosen. */
function End({ name, value, states, onChange }: EndProps) {
  const isKnown = states.some(({ key }) => key === value);
  return (
    <label className="field">
      <span className="label">{labelOf('workflows', name)}</span>
      <select
        aria-invalid={!isKnown && value !== ''}
        className="select"
        onChange={({ target }) => onChange(target.value)}
        value={value}
      >
        {!isKnown && (
          <option value={value}>
            {value === '' ? t('field.choose') : t('workflows.unknownState', { key: value })}
          </option>
        )}
        {states
          .filter(({ key }) => key !== '')
          .map(({ key, name: text }) => (
            <option key={key} value={key}>
              {text || key}
            </option>
          ))}
      </select>
    </label>
  );
}

interface FieldsProps {
  readonly transition: WorkflowTransition;
  readonly onChange: (transition: WorkflowTransition) => void;
}

const counts = Array.from({ length: limits.approvalsPerTransition + 1 }, (_, count) => count);

/** How many approvals the transition needs, and whose. */
function ApprovalFields({ transition, onChange }: FieldsProps) {
  const { approvals } = transition;
  return (
    <>
      <label className="field">
        <span className="label">{labelOf('workflows', 'approvals')}</span>
        <select
          className="select compact"
          onChange={({ target }) => onChange(withApprovals(transition, Number(target.value)))}
          value={approvals?.required ?? 0}
        >
          {counts.map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>
      </label>
      {approvals !== null && (
        <>
          <CheckPart
            name="distinctFromAuthor"
            onChange={(distinctFromAuthor) =>
              onChange({ ...transition, approvals: { ...approvals, distinctFromAuthor } })
            }
            value={approvals.distinctFromAuthor}
          />
          <RolePart
            name="approvalRoles"
            onChange={(roleIds) => onChange({ ...transition, approvals: { ...approvals, roleIds } })}
            value={approvals.roleIds}
          />
        </>
      )}
    </>
  );
}

function TransitionFields({
  transition,
  states,
  onChange,
}: FieldsProps & { readonly states: readonly WorkflowState[] }) {
  return (
    <>
      <div className="two-columns">
        <End
          name="from"
          onChange={(from) => onChange({ ...transition, from })}
          states={states}
          value={transition.from}
        />
        <End
          name="to"
          onChange={(to) => onChange({ ...transition, to })}
          states={states}
          value={transition.to}
        />
      </div>
      <TextPart
        name="transitionName"
        onChange={(name) => onChange({ ...transition, name })}
        value={transition.name}
      />
      <div className="checks">
        <CheckPart
          name="requireComment"
          onChange={(requireComment) => onChange({ ...transition, requireComment })}
          value={transition.requireComment}
        />
        <CheckPart
          name="requireAssignee"
          onChange={(requireAssignee) => onChange({ ...transition, requireAssignee })}
          value={transition.requireAssignee}
        />
      </div>
      <RolePart
        name="roleIds"
        onChange={(roleIds) => onChange({ ...transition, roleIds })}
        value={transition.roleIds}
      />
      <ApprovalFields onChange={onChange} transition={transition} />
    </>
  );
}

/** The transitions between the states of the form. */
export function TransitionList({ value, onChange }: PropertyControlProps) {
  const transitions = (value ?? []) as readonly WorkflowTransition[];
  const states = (useFormValues().states ?? []) as readonly WorkflowState[];
  return (
    <div className="list whole">
      {transitions.map((transition, at) => (
        <Part
          key={at}
          onRemove={() => onChange(transitions.toSpliced(at, 1))}
          title={t('workflows.transition', { number: at + 1 })}
        >
          <TransitionFields
            onChange={(next) => onChange(transitions.with(at, next))}
            states={states}
            transition={transition}
          />
        </Part>
      ))}
      <button className="button" onClick={() => onChange([...transitions, newTransition])} type="button">
        <Icon name="add" />
        {t('workflows.addTransition')}
      </button>
    </div>
  );
}
