import { unique } from '../support/factories/project.js';
import { platform, type Table } from './row.js';

export const projects: Table<'projects'> = {
  list: { access: platform, example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }) },
  create: {
    access: platform,
    example: ({ project }) =>
      Promise.resolve({ tenantSlug: project.tenantSlug, slug: `p-${unique()}`, name: 'Project' }),
  },
};
