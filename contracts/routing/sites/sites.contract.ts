import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { Site, siteChange, siteInput, SiteMeta } from './site.js';
import { inProject } from '../../routes.js';

const tags = ['Sites'];
const siteSlug = inPath('Slug of the site.', 'main');
const pathAliases = { siteSlug: 'slug' };
const siteResult = z.object({ data: Site, meta: SiteMeta.optional() });

const crud = crudOf({
  path: '/sites',
  key: 'siteSlug',
  resource: 'sites',
  tags,
  notFound: 'site_not_found',
  pathAliases,
});

export const sites = {
  list: crud
    .list({
      summary: 'List sites',
      description:
        'Returns the sites of the project with their locales, most recently updated first by default.',
      mcp: {
        tool: 'list_sites',
        toolset: 'structure',
        isDefault: true,
        title: 'List sites',
        description:
          'Lists every site with id, slug, locales and default locale, oldest first. create_entry requires the id of a site.',
        readOnly: true,
        listsAll: true,
      },
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

  create: crud
    .create({
      summary: 'Create a site',
      description:
        'Creates a site. Its locales must be locales of the tenant and include its default locale.',
      events: ['site.created'],
      errors: ['slug_conflict', 'reserved_slug', 'locale_not_found'],
    })
    .input(inProject(siteInput))
    .output(siteResult),

  get: crud
    .get({
      summary: 'Get a site',
      description: 'Returns one site with its locales and settings.',
      mcp: {
        tool: 'get_site',
        toolset: 'structure',
        isDefault: true,
        title: 'Get site',
        description: 'Reads one site with its locales and settings.',
        readOnly: true,
      },
    })
    .input(inProject({ siteSlug }))
    .output(dataOf(Site)),

  update: crud
    .update({
      summary: 'Update a site',
      description:
        'Updates the given properties; null clears one. A locale that entries use cannot be removed. If prefixes of published paths change, old paths redirect to the new ones.',
      confirmation: { given: ['isActive', 'localePathStrategy', 'defaultLocale', 'homeEntryId'] },
      events: ['site.updated'],
      errors: [
        'slug_conflict',
        'slug_reserved',
        'reserved_slug',
        'locale_not_found',
        'locale_in_use',
        'entry_not_found',
      ],
    })
    .input(inProject({ siteSlug, ...siteChange }))
    .output(siteResult),

  delete: crud
    .delete({
      summary: 'Delete a site',
      description: 'Deletes a site. Fails with 409 if it has entries.',
      events: ['site.deleted'],
      errors: ['site_not_empty'],
    })
    .input(inProject({ siteSlug }))
    .output(dataOf(Deleted)),
};
