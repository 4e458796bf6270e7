import { unique } from '../support/factories/project.js';
import { platform, type Table } from './row.js';

export const signOn: Table<'signOn'> = {
  get: { access: platform, example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }) },
  set: {
    access: platform,
    example: ({ project }) =>
      Promise.resolve({ tenantSlug: project.tenantSlug, issuer: `https://login-${unique()}.example.com` }),
  },
};
