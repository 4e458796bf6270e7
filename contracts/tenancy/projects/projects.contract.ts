import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { platform } from '../../procedure.js';
import { Project, projectInput } from '../tenants/tenant.js';
import { platformRoute } from '../../routes.js';

const tags = ['Platform'];
const tenantSlug = inPath('Slug of the tenant.', 'acme');
/** The public path has `{slug}`; the body has the `slug` of the project. */
const pathAliases = { tenantSlug: 'slug' };

export const projects = {
  list: platform({
    openapi: platformRoute('GET', '/tenants/{tenantSlug}/projects', {
      summary: 'List projects',
      description:
        'Returns the projects of a tenant, most recently updated first by default. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'projects',
    action: 'read',
    errors: ['tenant_not_found'],
  })
    .input(
      z.strictObject({
        tenantSlug,
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(Project)),

  create: platform({
    openapi: platformRoute('POST', '/tenants/{tenantSlug}/projects', {
      summary: 'Create a project',
      description:
        'Creates a project with the environment `main`. Slugs of projects are unique across the service. Super-admins only.',
      tags,
      pathAliases,
      success: { status: 201, location: '/tenants/{tenantSlug}/projects' },
    }),
    resource: 'projects',
    action: 'create',
    errors: ['tenant_not_found', 'slug_conflict', 'limit_reached'],
  })
    .input(z.strictObject({ tenantSlug, ...projectInput }))
    .output(dataOf(Project)),
};
