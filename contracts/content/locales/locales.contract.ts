import { listOf } from '../../envelopes.js';
import { paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Locale } from '../../tenancy/tenants/tenant.js';
import { inProject, managementRoute } from '../../routes.js';

export const locales = {
  list: management({
    openapi: managementRoute('GET', '/locales', {
      summary: 'List locales',
      description: 'Returns the locales available for content. Locales are managed on the tenant.',
      tags: ['Locales'],
    }),
    // Locales belong to the tenant; permission to read sites is sufficient.
    resource: 'sites',
    action: 'read',
  })
    .input(inProject(paging))
    .output(listOf(Locale)),
};
