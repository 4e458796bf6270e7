import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { SavedView, savedViewChange, savedViewInput, viewedResources } from './saved-view.js';
import { inProject } from '../../routes.js';

const tags = ['Views'];
const id = inPath('Id of the view.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const byCreator = 'Only the creator may do this; others get 403 `not_view_owner`.';

const crud = crudOf({ path: '/views', key: 'id', resource: 'views', tags, notFound: 'view_not_found' });

export const views = {
  list: crud
    .list({
      summary: 'List saved views',
      description:
        'Returns the views of the caller and the shared ones, most recently updated first by default.',
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

  create: crud
    .create({
      summary: 'Save a view',
      description:
        'Saves filters, columns and order of a list. `viewId` applies the view to the list. Filters are checked like parameters of the list.',
      errors: ['limit_reached'],
    })
    .input(inProject(savedViewInput))
    .output(dataOf(SavedView)),

  get: crud
    .get({
      summary: 'Get a saved view',
      description: 'Returns one view: an own or a shared one.',
    })
    .input(inProject({ id }))
    .output(dataOf(SavedView)),

  update: crud
    .update({
      summary: 'Update a saved view',
      description: `Updates the given properties. ${byCreator}`,
      errors: ['not_view_owner'],
    })
    .input(inProject({ id, ...savedViewChange }))
    .output(dataOf(SavedView)),

  delete: crud
    .delete({
      summary: 'Delete a saved view',
      description: `Deletes a view. ${byCreator}`,
      errors: ['not_view_owner'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
