import { AppError } from '../../../../contracts/errors.js';
import type { WorkflowModel } from '../../../content/schema/index.js';
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../../workflows/index.js';
import { SchemaRepository } from '../store/schema.repository.js';
import { inDocument, stepsOf, type ApplyContext } from './apply-context.js';

type Ids = ReadonlyMap<string, string>;

/** @throws AppError 404 for a name without an id */
function idsOf(names: readonly string[], ids: Ids, missing: (name: string) => AppError): string[] {
  return names.map((name) => {
    const id = ids.get(name);
    if (id === undefined) throw missing(name);
    return id;
  });
}

/** The workflow as its operations take it, with ids. */
function workflowInput(workflow: WorkflowModel, { sites, roles }: { sites: Ids; roles: Ids }) {
  const { slug, name, contentTypes, enforcement, perLocale, states, transitions } = workflow;
  const path = ['schema', 'workflows', slug];
  const roleIds = (slugs: readonly string[]) =>
    idsOf(slugs, roles, (role) => new AppError('role_not_found', { path, slug: role }));
  return {
    name,
    contentTypes,
    siteIds: idsOf(workflow.sites, sites, (site) => new AppError('site_not_found', { path, slug: site })),
    enforcement,
    perLocale,
    states: states.map((state) => ({ ...state, editableBy: roleIds(state.editableBy) })),
    transitions: transitions.map(({ roles: makers, approvals, ...transition }) => ({
      ...transition,
      roleIds: roleIds(makers),
      approvals: approvals && {
        required: approvals.required,
        distinctFromAuthor: approvals.distinctFromAuthor,
        roleIds: roleIds(approvals.roles),
      },
    })),
  };
}

/** Workflows that release content types come first, because a type has one workflow on a site. */
function inOrder(workflows: readonly WorkflowModel[], { stored }: ApplyContext): WorkflowModel[] {
  const before = new Map(stored.model.workflows.map((one) => [one.slug, one.contentTypes.length]));
  const growth = ({ slug, contentTypes }: WorkflowModel) => contentTypes.length - (before.get(slug) ?? 0);
  return [...workflows].sort((a, b) => growth(a) - growth(b));
}

/** The content types and roles that they name exist. */
export async function writeWorkflows(context: ApplyContext): Promise<void> {
  const { work, projectSlug, stored, target } = context;
  const actions = new Map(
    stepsOf(context, 'workflow', 'create', 'update').map(({ name, action }) => [name, action]),
  );
  if (actions.size === 0) return;
  const roles = await work.use(SchemaRepository).roles();
  const ids = { sites: stored.siteIds, roles: new Map(roles.map(({ slug, id }) => [slug, id])) };
  const written = (target.model.workflows ?? []).filter(({ slug }) => actions.has(slug));
  for (const workflow of inOrder(written, context)) {
    const { slug, isDefault } = workflow;
    // The previous default one gives way to the new one.
    const input = { projectSlug, ...workflowInput(workflow, ids), ...(isDefault && { isDefault }) };
    await inDocument('workflows', slug, () =>
      actions.get(slug) === 'create'
        ? createWorkflow(work, { ...input, slug })
        : updateWorkflow(work, { ...input, workflowSlug: slug }),
    );
  }
}

/** No content type names them any more. */
export async function deleteWorkflows(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { name } of stepsOf(context, 'workflow', 'delete'))
    await deleteWorkflow(work, { projectSlug, workflowSlug: name });
}
