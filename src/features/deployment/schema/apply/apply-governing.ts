import { AppError } from '../../../../../contracts/errors.js';
import { canonicalJson } from '../../../../content/exact-json/canonical-json.js';
import type { RoleModel, WorkflowModel } from '../../../../content/schema/schema-model.js';
import {
  createCustomFieldType,
  deleteCustomFieldType,
  updateCustomFieldType,
} from '../../../content/custom-field-types/index.js';
import { createGrant, createRole, deleteGrant, deleteRole, updateRole } from '../../../access/roles/index.js';
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../../../content/workflows/index.js';
import { readSchema } from '../store/read-schema.js';
import { SchemaRepository } from '../store/schema.repository.js';
import { changedValues, inDocument, stepsOf, type ApplyContext } from './apply-context.js';

export async function writeCustomTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug, target } = context;
  const wanted = new Map((target.model.customFieldTypes ?? []).map((type) => [type.apiName, type]));
  for (const step of stepsOf(context, 'customFieldType', 'create', 'update')) {
    const type = wanted.get(step.name);
    if (type === undefined) continue;
    const { apiName } = type;
    await inDocument('customFieldTypes', apiName, () =>
      step.action === 'create'
        ? createCustomFieldType(work, { projectSlug, ...type })
        : updateCustomFieldType(work, { projectSlug, apiName, ...changedValues(step) }),
    );
  }
}

/** After the fields that used them. */
export async function deleteCustomTypes(context: ApplyContext): Promise<void> {
  const { work, projectSlug } = context;
  for (const { name } of stepsOf(context, 'customFieldType', 'delete'))
    await deleteCustomFieldType(work, { projectSlug, apiName: name });
}

type Grant = RoleModel['grants'][number];
type CreateGrant = Parameters<typeof createGrant>[1];

/** Roles without their grants, which may name content types that do not exist yet. */
export async function writeRoles(context: ApplyContext): Promise<void> {
  const { work, projectSlug, stored, target } = context;
  const wanted = new Map((target.model.roles ?? []).map((role) => [role.slug, role]));
  for (const step of stepsOf(context, 'role', 'create', 'update')) {
    const role = wanted.get(step.name);
    if (role === undefined) continue;
    const { slug, name, description } = role;
    if (step.action === 'create') await createRole(work, { projectSlug, slug, name, description });
    else {
      const changes = changedValues(step, 'grants');
      const id = stored.roles.get(slug)?.id ?? '';
      if (Object.keys(changes).length > 0) await updateRole(work, { projectSlug, id, ...changes });
    }
  }
}

function scopeInput(
  { siteIds }: ApplyContext['stored'],
  slug: string,
  { scope }: Grant,
): CreateGrant['scope'] {
  const { sites, ...rest } = scope;
  const ids = sites?.map((site) => {
    const id = siteIds.get(site);
    if (id === undefined)
      throw new AppError('site_not_found', { path: ['schema', 'roles', slug], slug: site });
    return id;
  });
  return { ...rest, ...(ids && { siteIds: ids }) };
}

/** Grants that a document cannot express stay as they are. */
export async function writeGrants(context: ApplyContext): Promise<void> {
  const { work, projectSlug, target } = context;
  const written = stepsOf(context, 'role', 'create', 'update').filter(
    ({ action, changes }) => action === 'create' || changes.some(({ key }) => key === 'grants'),
  );
  if (written.length === 0) return;
  // Read again: grants name content types by their new names, and new roles have ids.
  const stored = await readSchema(work);
  const wanted = new Map((target.model.roles ?? []).map((role) => [role.slug, role]));
  for (const { name: slug } of written) {
    const roleId = stored.roles.get(slug)?.id ?? '';
    const held = stored.grants.filter((grant) => grant.roleId === roleId);
    const grants = wanted.get(slug)?.grants ?? [];
    const keys = new Set(grants.map(canonicalJson));
    const known = new Set(held.map(({ model }) => canonicalJson(model)));
    for (const { id, model } of held)
      if (!keys.has(canonicalJson(model))) await deleteGrant(work, { projectSlug, roleId, grantId: id });
    for (const grant of grants) {
      if (known.has(canonicalJson(grant))) continue;
      const scope = scopeInput(stored, slug, grant);
      const resource = grant.resource as CreateGrant['resource'];
      await createGrant(work, { projectSlug, roleId, resource, action: grant.action, scope });
    }
  }
}

/** No workflow names them any more. */
export async function deleteRoles(context: ApplyContext): Promise<void> {
  const { work, projectSlug, stored } = context;
  for (const { name } of stepsOf(context, 'role', 'delete'))
    await deleteRole(work, { projectSlug, id: stored.roles.get(name)?.id ?? '' });
}

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
