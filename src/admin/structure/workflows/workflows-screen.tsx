import { useState } from 'react';
import { workflows } from '../../../../contracts/content/workflows/workflows.contract.js';
import { SiteChecks, TypeChecks } from '../../administration/scope-checks.js';
import { api } from '../../api/client.js';
import { BooleanEditor } from '../../fields/choice-editors.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { deletion, resourceOf } from '../../resources/resource-config.js';
import { ResourceScreen } from '../../resources/resource-screen.js';
import { StateList } from './state-list.js';
import { TransitionList } from './transition-list.js';
import { firstStates, firstTransitions, type Workflow } from './workflow-parts.js';

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
