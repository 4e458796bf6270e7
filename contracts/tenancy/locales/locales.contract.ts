import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, paging } from '../../primitives.js';
import { inProject } from '../../routes.js';
import { Locale, localeChange, localeInput } from './locale.js';

const code = inPath('Code of the locale.', 'de');

/** Locales belong to the tenant; permission to read sites is sufficient to read them. */
const crud = crudOf({
  path: '/locales',
  key: 'code',
  resource: 'sites',
  tags: ['Locales'],
  notFound: 'locale_not_found',
});

const forOwners =
  'Locales belong to all projects of the tenant: only users who own each of them, and super-admins, can call this.';

export const locales = {
  list: crud
    .list({
      summary: 'List locales',
      description: 'Returns the locales available for content, which all projects of the tenant share.',
    })
    .input(inProject(paging))
    .output(listOf(Locale)),

  create: crud
    .create({
      summary: 'Create a locale',
      description: `Adds a locale to the tenant. Sites use it once it is among their locales. ${forOwners}`,
      ownersOnly: true,
      events: ['locale.created'],
      errors: ['locale_conflict', 'locale_not_found', 'limit_reached'],
    })
    .input(inProject(localeInput))
    .output(dataOf(Locale)),

  get: crud
    .get({ summary: 'Get a locale', description: 'Returns one locale of the tenant.' })
    .input(inProject({ code }))
    .output(dataOf(Locale)),

  update: crud
    .update({
      summary: 'Update a locale',
      description: `Updates the given properties. A locale in use stays active. ${forOwners}`,
      ownersOnly: true,
      events: ['locale.updated'],
      errors: ['locale_in_use'],
    })
    .input(inProject({ code, ...localeChange }))
    .output(dataOf(Locale)),

  delete: crud
    .delete({
      summary: 'Delete a locale',
      description: `Deletes a locale. Fails with 409 while it is in use. ${forOwners}`,
      ownersOnly: true,
      events: ['locale.deleted'],
      errors: ['locale_in_use'],
    })
    .input(inProject({ code }))
    .output(dataOf(Deleted)),
};
