import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, paging } from '../../primitives.js';
import { inProject, platformRoute } from '../../routes.js';
import { Locale, localeChange, localeInput } from './locale.js';
import { z } from 'zod';
import type { RestMeta } from '../../metadata.js';
import { platform } from '../../procedure.js';

const code = inPath('Code of the locale.', 'de');

const tags = ['Platform'];
const tenantSlug = inPath('Slug of the tenant.', 'acme');
const list = '/tenants/{tenantSlug}/locales';
const one = `${list}/{code}` as const;

const route = (
  method: RestMeta['method'],
  path: typeof list | typeof one,
  options: Pick<RestMeta, 'summary' | 'description' | 'success'>,
) => platformRoute(method, path, { tags, pathAliases: { tenantSlug: 'slug' }, ...options });

export const tenantLocales = {
  list: platform({
    openapi: route('GET', list, {
      summary: 'List locales of a tenant',
      description: 'Returns the locales of a tenant in their order. Super-admins only.',
    }),
    resource: 'tenants',
    action: 'read',
    errors: ['tenant_not_found'],
  })
    .input(z.strictObject({ tenantSlug, ...paging }))
    .output(listOf(Locale)),

  create: platform({
    openapi: route('POST', list, {
      summary: 'Create a locale of a tenant',
      description:
        'Adds a locale to a tenant. Sites use it once it is among their locales. Super-admins only.',
      success: { status: 201, location: `${one}` },
    }),
    resource: 'tenants',
    action: 'update',
    events: ['locale.created'],
    errors: ['tenant_not_found', 'locale_conflict', 'locale_not_found', 'limit_reached'],
  })
    .input(z.strictObject({ tenantSlug, ...localeInput }))
    .output(dataOf(Locale)),

  get: platform({
    openapi: route('GET', one, {
      summary: 'Get a locale of a tenant',
      description: 'Returns one locale of a tenant. Super-admins only.',
    }),
    resource: 'tenants',
    action: 'read',
    errors: ['tenant_not_found', 'locale_not_found'],
  })
    .input(z.strictObject({ tenantSlug, code }))
    .output(dataOf(Locale)),

  update: platform({
    openapi: route('PUT', one, {
      summary: 'Update a locale of a tenant',
      description: 'Updates the given properties. A locale in use stays active. Super-admins only.',
    }),
    resource: 'tenants',
    action: 'update',
    events: ['locale.updated'],
    errors: ['tenant_not_found', 'locale_not_found', 'locale_in_use', 'no_update_fields'],
  })
    .input(z.strictObject({ tenantSlug, code, ...localeChange }))
    .output(dataOf(Locale)),

  delete: platform({
    openapi: route('DELETE', one, {
      summary: 'Delete a locale of a tenant',
      description: 'Deletes a locale. Fails with 409 while it is in use. Super-admins only.',
    }),
    resource: 'tenants',
    action: 'update',
    events: ['locale.deleted'],
    errors: ['tenant_not_found', 'locale_not_found', 'locale_in_use'],
  })
    .input(z.strictObject({ tenantSlug, code }))
    .output(dataOf(Deleted)),
};

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
      mcp: {
        tool: 'list_locales',
        toolset: 'structure',
        title: 'List locales',
        description:
          'Lists the locales available for content with their fallbacks. list_sites says which ones a site uses.',
        readOnly: true,
        listsAll: true,
      },
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
