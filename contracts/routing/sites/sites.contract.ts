import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Site, siteChange, siteInput, SiteMeta } from './site.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Sites'];
const siteSlug = inPath('Slug of the site.', 'main');
const pathAliases = { siteSlug: 'slug' };
const siteResult = z.object({ data: Site, meta: SiteMeta.optional() });

export const sites = {
  list: management({
    openapi: managementRoute('GET', '/sites', {
      summary: 'List sites',
      description:
        'Returns the sites of the project with their locales, most recently updated first by default.',
      tags,
    }),
    mcp: {
      tool: 'list_sites',
      title: 'List sites',
      description:
        'Lists every site with id, slug, locales and default locale, oldest first. create_entry requires the id of a site.',
      readOnly: true,
      listsAll: true,
    },
    resource: 'sites',
    action: 'read',
    mcpResources: [{ uri: 'service://sites', key: 'sites' }],
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(Site)),

  create: management({
    openapi: managementRoute('POST', '/sites', {
      summary: 'Create a site',
      description:
        'Creates a site. Its locales must be locales of the tenant and include its default locale.',
      tags,
      success: { status: 201, location: '/sites/{slug}' },
    }),
    resource: 'sites',
    action: 'create',
    events: ['site.created'],
    errors: ['slug_conflict', 'reserved_slug', 'locale_not_found'],
  })
    .input(inProject(siteInput))
    .output(siteResult),

  get: management({
    openapi: managementRoute('GET', '/sites/{siteSlug}', {
      summary: 'Get a site',
      description: 'Returns one site with its locales and settings.',
      tags,
      pathAliases,
    }),
    mcp: {
      tool: 'get_site',
      title: 'Get site',
      description: 'Reads one site with its locales and settings.',
      readOnly: true,
    },
    resource: 'sites',
    action: 'read',
    errors: ['site_not_found'],
  })
    .input(inProject({ siteSlug }))
    .output(dataOf(Site)),

  update: management({
    openapi: managementRoute('PUT', '/sites/{siteSlug}', {
      summary: 'Update a site',
      description:
        'Updates the given properties; null clears one. A locale that entries use cannot be removed. If prefixes of published paths change, old paths redirect to the new ones.',
      tags,
      pathAliases,
    }),
    resource: 'sites',
    action: 'update',
    confirmation: { given: ['isActive', 'localePathStrategy', 'defaultLocale', 'homeEntryId'] },
    events: ['site.updated'],
    errors: [
      'site_not_found',
      'slug_conflict',
      'slug_reserved',
      'reserved_slug',
      'locale_not_found',
      'locale_in_use',
      'entry_not_found',
      'no_update_fields',
    ],
  })
    .input(inProject({ siteSlug, ...siteChange }))
    .output(siteResult),

  delete: management({
    openapi: managementRoute('DELETE', '/sites/{siteSlug}', {
      summary: 'Delete a site',
      description: 'Deletes a site. Fails with 409 if it has entries.',
      tags,
      pathAliases,
    }),
    resource: 'sites',
    action: 'delete',
    events: ['site.deleted'],
    confirmation: 'always',
    errors: ['site_not_found', 'site_not_empty'],
  })
    .input(inProject({ siteSlug }))
    .output(dataOf(Deleted)),
};
