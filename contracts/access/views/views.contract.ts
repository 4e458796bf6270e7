import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { SavedView, savedViewChange, savedViewInput, viewedResources } from './saved-view.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Views'];
const id = inPath('Id of the view.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const byCreator = 'Only the creator may do this; others get 403 `not_view_owner`.';

export const views = {
  list: management({
    openapi: managementRoute('GET', '/views', {
      summary: 'List saved views',
      description:
        'Returns the views of the caller and the shared ones, most recently updated first by default.',
      tags,
    }),
    resource: 'views',
    action: 'read',
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
        resource: z
          .enum(viewedResources)
          .optional()
          .meta({ description: 'Filter by list.', example: 'entries' }),
        q: nameContains,
      }),
    )
    .output(listOf(SavedView)),

  create: management({
    openapi: managementRoute('POST', '/views', {
      summary: 'Save a view',
      description:
        'Saves filters, columns and order of a list. `viewId` applies the view to the list. Filters are checked like parameters of the list.',
      tags,
      success: { status: 201, location: '/views/{id}' },
    }),
    resource: 'views',
    action: 'create',
    errors: ['limit_reached'],
  })
    .input(inProject(savedViewInput))
    .output(dataOf(SavedView)),

  get: management({
    openapi: managementRoute('GET', '/views/{id}', {
      summary: 'Get a saved view',
      description: 'Returns one view: an own or a shared one.',
      tags,
    }),
    resource: 'views',
    action: 'read',
    errors: ['view_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(SavedView)),

  update: management({
    openapi: managementRoute('PUT', '/views/{id}', {
      summary: 'Update a saved view',
      description: `Updates the given properties. ${byCreator}`,
      tags,
    }),
    resource: 'views',
    action: 'update',
    errors: ['view_not_found', 'not_view_owner', 'no_update_fields'],
  })
    .input(inProject({ id, ...savedViewChange }))
    .output(dataOf(SavedView)),

  delete: management({
    openapi: managementRoute('DELETE', '/views/{id}', {
      summary: 'Delete a saved view',
      description: `Deletes a view. ${byCreator}`,
      tags,
    }),
    resource: 'views',
    action: 'delete',
    confirmation: 'always',
    errors: ['view_not_found', 'not_view_owner'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
