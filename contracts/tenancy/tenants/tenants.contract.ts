import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { platform } from '../../procedure.js';
import { Tenant, tenantChange, tenantInput } from './tenant.js';
import { platformRoute } from '../../routes.js';

const tags = ['Platform'];
const tenantSlug = inPath('Slug of the tenant.', 'acme');
const pathAliases = { tenantSlug: 'slug' };

export const tenants = {
  list: platform({
    openapi: platformRoute('GET', '/tenants', {
      summary: 'List tenants',
      description:
        'Returns tenants with their locales and projects, most recently updated first by default. Super-admins only.',
      tags,
    }),
    resource: 'tenants',
    action: 'read',
  })
    .input(
      z.strictObject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(Tenant)),

  create: platform({
    openapi: platformRoute('POST', '/tenants', {
      summary: 'Create a tenant',
      description:
        'Creates a tenant with its locales and optionally its first project. The user with `ownerEmail` is invited as the owner of every project of the tenant. Super-admins only.',
      tags,
      success: { status: 201, location: '/tenants/{slug}' },
    }),
    resource: 'tenants',
    action: 'create',
    errors: ['slug_conflict', 'locale_not_found', 'email_conflict', 'limit_reached'],
  })
    .input(z.strictObject(tenantInput))
    .output(dataOf(Tenant)),

  get: platform({
    openapi: platformRoute('GET', '/tenants/{tenantSlug}', {
      summary: 'Get a tenant',
      description: 'Returns one tenant with its locales and projects. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'read',
    errors: ['tenant_not_found'],
  })
    .input(z.strictObject({ tenantSlug }))
    .output(dataOf(Tenant)),

  update: platform({
    openapi: platformRoute('PUT', '/tenants/{tenantSlug}', {
      summary: 'Update a tenant',
      description:
        'Updates the name, status, locales, limits, data region or sender of mails. A locale in use cannot be removed. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'update',
    errors: ['tenant_not_found', 'locale_in_use', 'locale_not_found', 'no_update_fields'],
  })
    .input(z.strictObject({ tenantSlug, ...tenantChange }))
    .output(dataOf(Tenant)),

  deactivate: platform({
    openapi: platformRoute('DELETE', '/tenants/{tenantSlug}', {
      summary: 'Deactivate a tenant',
      description: 'Deactivates the tenant. Nothing is deleted. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'delete',
    errors: ['tenant_not_found'],
  })
    .input(z.strictObject({ tenantSlug }))
    .output(
      dataOf(
        z
          .object({ slug: z.string(), status: z.literal('deactivated') })
          .meta({ id: 'DeactivatedTenant', description: 'The deactivated tenant.' }),
      ),
    ),
};
