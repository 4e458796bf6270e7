import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { grantInput, PermissionGrant, Role, roleChange, roleInput } from './role.js';
import { inProject, managementRoute } from '../../routes.js';
import { GrantableResource } from '../../registry/operation-names.js';

const tags = ['Roles'];
/** The public path has `{id}`; the response has the `id` of the grant. */
const pathAliases = { roleId: 'id' };
const id = inPath('Id of the role.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({ path: '/roles', key: 'id', resource: 'roles', tags, notFound: 'role_not_found' });

export const roles = {
  list: crud
    .list({
      summary: 'List roles',
      description: 'Returns the roles of the project in order of creation by default, system roles first.',
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'createdAt:asc'),
        q: nameContains,
      }),
    )
    .output(listOf(Role)),

  create: crud
    .create({
      summary: 'Create a role',
      description: 'Creates a role without grants. Add grants with `POST roles/{id}/permissions`.',
      errors: ['slug_conflict', 'limit_reached'],
    })
    .input(inProject(roleInput))
    .output(dataOf(Role)),

  get: crud
    .get({
      summary: 'Get a role',
      description: 'Returns one role with the number of its members.',
    })
    .input(inProject({ id }))
    .output(dataOf(Role)),

  update: crud
    .update({
      summary: 'Update a role',
      description: 'Updates the name or description. System roles cannot be changed.',
      errors: ['role_is_system'],
    })
    .input(inProject({ id, ...roleChange }))
    .output(dataOf(Role)),

  delete: crud
    .delete({
      summary: 'Delete a role',
      description: 'Deletes a role that is not assigned to any user. System roles cannot be deleted.',
      errors: ['role_is_system', 'role_in_use'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  listGrants: management({
    openapi: managementRoute('GET', '/roles/{roleId}/permissions', {
      summary: 'List grants',
      description: 'Returns the grants of a role. Grants are additive; a grant cannot deny access.',
      tags,
      pathAliases,
    }),
    resource: 'roles',
    action: 'read',
    errors: ['role_not_found'],
  })
    .input(inProject({ roleId: id, ...paging, orderBy: orderBy(['createdAt'], 'createdAt:asc') }))
    .output(listOf(PermissionGrant)),

  createGrant: management({
    openapi: managementRoute('POST', '/roles/{roleId}/permissions', {
      summary: 'Add a grant',
      description:
        'Adds a grant. If the role already has it, returns 200 with `meta.duplicate`. You cannot grant permissions you do not have.',
      tags,
      pathAliases,
      success: { status: 201, location: '/roles/{roleId}/permissions', existing: true },
    }),
    resource: 'roles',
    action: 'update',
    errors: [
      'role_not_found',
      'role_is_system',
      'privilege_escalation',
      'content_type_not_found',
      'site_not_found',
      'locale_not_found',
      'environment_not_found',
      'tree_node_not_found',
      'limit_reached',
    ],
  })
    .input(inProject({ roleId: id, resource: GrantableResource, ...grantInput }))
    .output(
      z.object({
        data: PermissionGrant,
        meta: z
          .object({ duplicate: z.literal(true) })
          .optional()
          .meta({ description: 'Present if the role already had the grant.' }),
      }),
    ),

  deleteGrant: management({
    openapi: managementRoute('DELETE', '/roles/{roleId}/permissions/{grantId}', {
      summary: 'Remove a grant',
      description: 'Removes a grant from the role. Its members lose the permission immediately.',
      tags,
      pathAliases,
    }),
    resource: 'roles',
    action: 'update',
    confirmation: 'always',
    errors: ['role_not_found', 'grant_not_found', 'role_is_system'],
  })
    .input(
      inProject({ roleId: id, grantId: inPath('Id of the grant.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70') }),
    )
    .output(dataOf(Deleted)),
};
