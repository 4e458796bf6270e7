import { AppError, invalidInput, type InputIssue } from '../../../../contracts/errors.js';
import type { workflows } from '../../../../contracts/content/workflows/workflows.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Workflow } from '../../../../contracts/content/workflows/workflow.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  workflowIssues,
  initialState,
  stateOf,
  type WorkflowDefinition,
} from '../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { RoleRepository } from '../../access/roles/index.js';
import type { WorkflowRow } from './workflow.repository.js';

type Given = Partial<Omit<InputOf<typeof workflows.create>, 'projectSlug' | 'slug'>>;
type Graph = Pick<Workflow, 'states' | 'transitions'>;

export const definitionOf = (row: WorkflowRow): WorkflowDefinition => ({
  ...row,
  states: row.states as Workflow['states'],
  transitions: row.transitions as Workflow['transitions'],
});

/** Ids are kept in lower case, and a transition is named after its target. */
function normalize({
  states,
  transitions,
}: {
  states: Given['states'];
  transitions: Given['transitions'];
}): Graph {
  const lower = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))];
  const named = states ?? [];
  return {
    states: named.map((state) => ({ ...state, editableBy: lower(state.editableBy) })),
    transitions: (transitions ?? []).map((given) => ({
      ...given,
      name: given.name ?? named.find(({ key }) => key === given.to)?.name ?? given.to,
      roleIds: lower(given.roleIds),
      approvals: given.approvals && { ...given.approvals, roleIds: lower(given.approvals.roleIds) },
    })),
  };
}

interface NamedRole {
  readonly id: string;
  readonly path: (string | number)[];
}

function namedRoles({ states, transitions }: Graph): NamedRole[] {
  const at = (ids: readonly string[], ...path: (string | number)[]) =>
    ids.map((id, index): NamedRole => ({ id, path: [...path, index] }));
  return [
    ...states.flatMap(({ editableBy }, index) => at(editableBy, 'states', index, 'editableBy')),
    ...transitions.flatMap(({ roleIds, approvals }, index) => [
      ...at(roleIds, 'transitions', index, 'roleIds'),
      ...at(approvals?.roleIds ?? [], 'transitions', index, 'approvals', 'roleIds'),
    ]),
  ];
}

/** @throws AppError 404 `role_not_found` */
async function roleIdsOf(work: UnitOfWork, graph: Graph): Promise<string[]> {
  const named = namedRoles(graph);
  const ids = [...new Set(named.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const known = new Set((await work.use(RoleRepository).findAll(ids)).map(({ id }) => id));
  const missing = named.find(({ id }) => !known.has(id));
  if (missing !== undefined) throw new AppError('role_not_found', { path: missing.path });
  return ids;
}

/** @throws AppError 404 `content_type_not_found` */
function typeIdsOf(catalog: Catalog, names: readonly string[]): string[] {
  const ids = names.map((name, index) => {
    const type = catalog.contentType(name);
    if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypes', index] });
    return type.id;
  });
  return [...new Set(ids)];
}

/** @throws AppError 404 `site_not_found` */
function siteIdsOf(catalog: Catalog, given: readonly string[]): string[] {
  const ids = given.map((id, index) => {
    const site = catalog.site(id.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: ['siteIds', index] });
    return site.id;
  });
  return [...new Set(ids)];
}

const overlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || a.some((id) => b.includes(id));

/** A type has one workflow on a site. */
function takenTypes({ data }: Catalog, row: WorkflowRow): InputIssue[] {
  const rivals = data.workflows.filter(({ id, siteIds }) => id !== row.id && overlap(siteIds, row.siteIds));
  return row.contentTypeIds.flatMap((typeId, index) => {
    const rival = rivals.find(({ contentTypeIds }) => contentTypeIds.includes(typeId));
    if (rival === undefined) return [];
    const message = `The workflow ${rival.slug} names this content type already.`;
    return [{ path: ['contentTypes', index], code: 'already_assigned', message }];
  });
}

/**
 * The workflow with the given properties.
 * @throws AppError 422 for an invalid graph, 404 for what does not exist
 */
export async function applyChanges(
  work: UnitOfWork,
  catalog: Catalog,
  { row, given }: { row: WorkflowRow; given: Given },
): Promise<WorkflowRow> {
  const { contentTypes, siteIds, states, transitions, ...plain } = given;
  const current = definitionOf(row);
  const graph = normalize({
    states: states ?? [...current.states],
    transitions: transitions ?? [...current.transitions],
  });
  const issues = workflowIssues(graph);
  if (issues.length > 0) throw invalidInput(...issues);
  const isBaseKept = stateOf(graph, row.baseState) !== undefined;
  const after: WorkflowRow = {
    ...row,
    ...(Object.fromEntries(
      Object.entries(plain).filter(([, value]) => value !== undefined),
    ) as Partial<WorkflowRow>),
    ...(contentTypes && { contentTypeIds: typeIdsOf(catalog, contentTypes) }),
    ...(siteIds && { siteIds: siteIdsOf(catalog, siteIds) }),
    ...graph,
    baseState: isBaseKept ? row.baseState : initialState(graph),
    roleIds: await roleIdsOf(work, graph),
  };
  const taken = takenTypes(catalog, after);
  if (taken.length > 0) throw invalidInput(...taken);
  return after;
}

export function presentWorkflow(row: WorkflowRow, catalog: Catalog): Workflow {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    isDefault: row.isDefault,
    contentTypes: row.contentTypeIds.flatMap((id) => catalog.contentTypeById(id)?.apiName ?? []),
    siteIds: row.siteIds,
    enforcement: row.enforcement,
    perLocale: row.perLocale,
    states: row.states as Workflow['states'],
    transitions: row.transitions as Workflow['transitions'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
