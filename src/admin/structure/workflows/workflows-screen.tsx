import { useState } from 'react';
import { workflows } from '../../../../contracts/content/workflows/workflows.contract.js';
import { SiteChecks, TypeChecks } from '../../administration/scope-checks.js';
import { api } from '../../api/client.js';
import { BooleanEditor } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { deletion, resourceOf } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { TransitionList } from './transition-list.js';
import {
  firstStates,
  firstTransitions,
  type Workflow,
  newState,
  renamed,
  withInitial,
  type WorkflowState,
} from './workflow-parts.js';
import { ColorEditor } from '../../fields/text-editors.js';
import { useFormValues } from '../../resources/form-values.js';
import { labelOf } from '../../resources/labels.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { CheckPart, Part, RolePart, TextPart } from './part-controls.js';

interface StateFieldsProps {
  readonly id: string;
  readonly state: WorkflowState;
  /** Entries can be in a state that is stored: its key stays. */
  readonly isNew: boolean;
  readonly onChange: (state: WorkflowState) => void;
  readonly onInitial: () => void;
}

function StateFields({ id, state, isNew, onChange, onInitial }: StateFieldsProps) {
  const color = labelOf('workflows', 'color');
  return (
    <>
      <div className="two-columns">
        <TextPart
          name="stateName"
          onChange={(name) => onChange(renamed(state, name, isNew))}
          value={state.name}
        />
        <TextPart
          isReadOnly={!isNew}
          name="stateKey"
          onChange={(key) => onChange({ ...state, key })}
          value={state.key}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={id}>
          {color}
        </label>
        <ColorEditor
          describedBy={id}
          id={id}
          isInvalid={false}
          isReadOnly={false}
          label={color}
          onChange={(value) => onChange({ ...state, color: value as string | null })}
          value={state.color}
        />
      </div>
      <div className="checks">
        <label className="row tight">
          <input checked={state.isInitial} onChange={onInitial} type="radio" />
          {labelOf('workflows', 'isInitial')}
        </label>
        <CheckPart
          name="allowsPublish"
          onChange={(allowsPublish) => onChange({ ...state, allowsPublish })}
          value={state.allowsPublish}
        />
      </div>
      <RolePart
        name="editableBy"
        onChange={(editableBy) => onChange({ ...state, editableBy })}
        value={state.editableBy}
      />
    </>
  );
}

function moved(states: readonly WorkflowState[], at: number): WorkflowState[] {
  const next = [...states];
  next.splice(at - 1, 0, ...next.splice(at, 1));
  return next;
}

/** The states of a workflow, in order. */
export function StateList({ id, value, onChange }: PropertyControlProps) {
  const states = (value ?? []) as readonly WorkflowState[];
  const isChange = 'id' in useFormValues();
  const [stored] = useState(() => new Set(isChange ? states.map(({ key }) => key) : []));
  const isStored = ({ key }: WorkflowState, at: number): boolean =>
    stored.has(key) && states.findIndex((state) => state.key === key) === at;
  return (
    <div className="list whole">
      {states.map((state, at) => (
        <Part
          key={at}
          onRemove={() => onChange(states.toSpliced(at, 1))}
          onUp={at === 0 ? undefined : () => onChange(moved(states, at))}
          title={t('workflows.state', { number: at + 1 })}
        >
          <StateFields
            id={`${id}-${String(at)}`}
            isNew={!isStored(state, at)}
            onChange={(next) => onChange(states.with(at, next))}
            onInitial={() => onChange(withInitial(states, at))}
            state={state}
          />
        </Part>
      ))}
      <button className="button" onClick={() => onChange([...states, newState])} type="button">
        <Icon name="add" />
        {t('workflows.addState')}
      </button>
    </div>
  );
}

/** Another workflow becomes the default one instead of the present one. */
function DefaultCheck(props: PropertyControlProps) {
  const [isDefault] = useState(props.value === true);
  return <BooleanEditor {...props} isReadOnly={props.isReadOnly || isDefault} />;
}

const resource = resourceOf<Workflow>({
  name: 'workflows',
  contracts: workflows,
  title: 'workflows.title',
  hint: 'workflows.hint',
  createLabel: 'workflows.create',
  nameOf: ({ name }) => name,
  key: { input: 'workflowSlug', item: 'slug' },
  columns: ['name', 'states', 'slug', 'contentTypes', 'isDefault', 'enforcement', 'perLocale', 'updatedAt'],
  cells: { states: ({ states }) => states.map(({ name }) => name).join(' · ') },
  isWide: true,
  form: {
    order: ['name', 'slug', 'contentTypes', 'siteIds', 'enforcement', 'perLocale', 'isDefault', 'states'],
    editors: {
      contentTypes: TypeChecks,
      siteIds: SiteChecks,
      isDefault: DefaultCheck,
      states: StateList,
      transitions: TransitionList,
    },
    start: { enforcement: 'advisory', states: firstStates, transitions: firstTransitions },
  },
  actions: [deletion({ isOffered: ({ isDefault }) => !isDefault })],
  // Entries show the names of their states.
  refreshes: [api.entries.pathKey()],
});

/** Workflows with their states and transitions. */
export const WorkflowsScreen = () => <ResourceScreen resource={resource} />;
