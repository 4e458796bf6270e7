import type { Catalog } from '../../../content/catalog.js';
import { initialState, type WorkflowDefinition } from '../../../content/workflow/workflow-definition.js';

/** What the workflow of a type means for the tasks of a user, on one site or, with null, on all. */
export interface TaskRule {
  readonly typeId: string;
  readonly siteId: string | null;
  readonly perLocale: boolean;
  /** States that allow publishing, as stored. */
  readonly done: readonly (string | null)[];
}

/** Entries of a type that wait for an approval of the user's roles in a state. */
export interface ApprovalRule extends Pick<TaskRule, 'typeId' | 'siteId' | 'perLocale'> {
  readonly state: string;
  /** Where the approvals lead to, and whether those who changed the content approve, too. */
  readonly targets: readonly { readonly to: string; readonly excludesAuthors: boolean }[];
}

interface TaskPlace {
  readonly typeId: string;
  readonly siteId: string | null;
  readonly workflow: WorkflowDefinition | undefined;
}

/** One place for each type if its workflow is the same on every site. */
function placesOf(catalog: Catalog): TaskPlace[] {
  const { contentTypes, sites } = catalog.data;
  return contentTypes.flatMap(({ id: typeId }) => {
    const onSites = sites.map(({ id: siteId }): TaskPlace => ({
      typeId,
      siteId,
      workflow: catalog.workflowOf({ contentTypeId: typeId, siteId }),
    }));
    const [first] = onSites;
    const isSame = onSites.every(({ workflow }) => workflow === first?.workflow);
    return isSame && first !== undefined ? [{ ...first, siteId: null }] : onSites;
  });
}

const stored = ({ baseState }: WorkflowDefinition, key: string): string | null =>
  key === baseState ? null : key;

export const taskRules = (catalog: Catalog): TaskRule[] =>
  placesOf(catalog).flatMap(({ typeId, siteId, workflow }) => {
    if (workflow === undefined) return [];
    const publishable = workflow.states.filter(({ allowsPublish }) => allowsPublish);
    const done = publishable.map(({ key }) => stored(workflow, key));
    return [{ typeId, siteId, perLocale: workflow.perLocale, done }];
  });

/** Of any role with null. A role must be named; in its initial state an entry is not handed in yet. */
export function approvalRules(catalog: Catalog, roleIds: readonly string[] | null): ApprovalRule[] {
  const has = (wanted: readonly string[]) =>
    roleIds === null || wanted.length === 0 || wanted.some((id) => roleIds.includes(id));
  return placesOf(catalog).flatMap(({ typeId, siteId, workflow }) => {
    if (workflow === undefined) return [];
    const waiting = workflow.transitions.filter(({ from, roleIds: allowed, approvals }) => {
      if (approvals === null || from === initialState(workflow) || from === workflow.baseState) return false;
      const isNamed = allowed.length > 0 || approvals.roleIds.length > 0;
      return isNamed && has(allowed) && has(approvals.roleIds);
    });
    return [...Map.groupBy(waiting, ({ from }) => from)].map(([state, transitions]) => ({
      typeId,
      siteId,
      perLocale: workflow.perLocale,
      state,
      targets: transitions.map(({ to, approvals }) => ({
        to,
        excludesAuthors: approvals?.distinctFromAuthor === true,
      })),
    }));
  });
}
