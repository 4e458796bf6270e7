import { listOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { paging } from '../primitives.js';
import { Locale } from '../resources/tenant.js';

/** Lists the locales of the project's tenant, in the tenant's order. */
export const listLocales = management({
  openapi: managementRoute('GET', '/locales', {
    summary: 'List locales',
    description: 'Locales that content may be written in. They belong to the tenant and are changed there.',
    tags: ['Locales'],
  }),
  // Locales belong to the tenant; whoever may read sites knows what they speak.
  resource: 'sites',
  action: 'read',
})
  .input(inProject(paging))
  .output(listOf(Locale));
