import { AppError } from '../../../../contracts/errors.js';
import { canonicalJson } from '../../../content/exact-json/canonical-json.js';
import type { RoleModel } from '../../../content/schema/index.js';
import { createGrant, createRole, deleteGrant, deleteRole, updateRole } from '../../roles/index.js';
import { readSchema } from '../store/read-schema.js';
import { changedValues, stepsOf, type ApplyContext } from './apply-context.js';

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
