import { unique } from '../support/factories/project.js';
import { platform, type Table } from './row.js';

export const tenants: Table<'tenants'> = {
  list: { access: platform, example: () => Promise.resolve({}) },
  create: { access: platform, example: () => Promise.resolve({ slug: `t-${unique()}`, name: 'Tenant' }) },
  get: { access: platform, example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }) },
  update: {
    access: platform,
    example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug, name: `Tenant ${unique()}` }),
  },
  deactivate: {
    access: platform,
    example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }),
    needsOwnScene: true,
  },
};
